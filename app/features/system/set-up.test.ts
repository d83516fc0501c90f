import { expect, test } from "vitest";
import { byCommand, listGaps } from "./set-up.ts";

const mail = {
  resendApiKey: "re",
  resendBaseUrl: undefined,
  webhookSecret: "whsec_a",
  from: "G <a@example.com>",
};
const complete = {
  isLoopback: false,
  isDemo: false,
  mail,
  turnstile: { siteKey: "a", secretKey: "b", verifyUrl: undefined },
  adminEmails: ["admin@example.com"],
  securityContact: "mailto:a@example.com",
};

test.each([
  ["nothing", complete, []],
  ["this machine", { ...complete, isLoopback: true }, ["onThisMachine"]],
  [
    "no mail key and the sample's sender",
    { ...complete, mail: { ...mail, resendApiKey: undefined, from: "G <a@gatehouse.example>" } },
    ["mailStaysHere", "sampleSender"],
  ],
  ["no captcha", { ...complete, turnstile: undefined }, ["noCaptcha"]],
  [
    "no webhook, no admin and no contact",
    {
      ...complete,
      mail: { ...mail, webhookSecret: undefined },
      adminEmails: [],
      securityContact: undefined,
    },
    ["noAdmins", "noWebhook", "noSecurityContact"],
  ],
  ["a demonstration", { ...complete, isDemo: true, turnstile: undefined }, []],
])("%s is not set up", (_name, config, gaps) => {
  expect(listGaps(config, true).map(({ gap }) => gap)).toEqual(gaps);
});

test("without a bucket there are no pictures", () => {
  expect(listGaps(complete, false)).toEqual([{ gap: "noBucket", setting: "AVATARS" }]);
});

test("each command is said once, for all steps that it does", () => {
  const bare = {
    ...complete,
    isLoopback: true,
    adminEmails: [],
    turnstile: undefined,
    mail: { ...mail, resendApiKey: undefined, from: "G <a@gatehouse.example>" },
  };
  expect(
    byCommand(listGaps(bare, false)).map(({ command, steps }) => [command, steps.length]),
  ).toEqual([
    ["npm run setup", 4],
    ["npx wrangler secret put TURNSTILE_SECRET_KEY", 1],
    ["npm run setup -- --bucket", 1],
  ]);
});
