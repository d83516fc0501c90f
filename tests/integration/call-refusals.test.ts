import { once } from "node:events";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { LANGUAGES } from "../../app/i18n/languages.ts";
import { newBrowser } from "../support/client.ts";
import { FEATURE_TESTS } from "../support/feature-tests.ts";
import { newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const SEND_CODE = "/api/auth/email-otp/send-verification-otp";
const FOREIGN = { Origin: "https://elsewhere.example" };

/** POSTs that are refused before their body is used, by status. */
const REFUSALS: [number, string, Record<string, string>?][] = [
  [413, SEND_CODE],
  [403, SEND_CODE, FOREIGN],
  [403, "/login", FOREIGN],
  [404, "/api/auth/no-such-call"],
  [404, "/no-such-page"],
  [405, "/api/auth/get-session"],
  [405, "/health"],
  [405, "/"],
  ...FEATURE_TESTS.flatMap(({ refusedAtOnce = [] }) => refusedAtOnce),
];

test.each(REFUSALS)(
  "a POST that is refused with %i at %s is read first, and its connection lives on",
  async (status, path, headers) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = "x".repeat(20_000);
    const send = () =>
      request(new URL(path, gatehouse.url), {
        agent,
        method: "POST",
        headers: { "Content-Type": "application/json", "Content-Length": body.length, ...headers },
      });
    let isAnswered = false;
    const slow = send();
    const answer = responseTo(slow).finally(() => {
      isAnswered = true;
    });
    slow.write(body.slice(0, 10_000));
    // Far longer than a refusal takes.
    for (let turn = 0; turn < 5; turn++) await fetch(new URL("/health", gatehouse.url));
    expect(isAnswered).toBe(false);
    slow.end(body.slice(10_000));
    expect(await answer).toBe(status);

    for (let turn = 0; turn < 5; turn++) {
      const next = send();
      next.end(body);
      expect(await responseTo(next)).toBe(status);
      expect(next.reusedSocket).toBe(true);
    }
    agent.destroy();
  },
);

/** Returns the status of the response, when all of it has arrived. */
async function responseTo(sent: ClientRequest): Promise<number | undefined> {
  const [response]: IncomingMessage[] = await once(sent, "response");
  response?.resume();
  if (response) await once(response, "end");
  return response?.statusCode;
}

test.each(LANGUAGES)("refusals carry a message in %s beside the code", async (language) => {
  const say = translationsIn(language);
  const browser = newBrowser(gatehouse, { language });
  const cases: [Promise<Response>, code: string, message: string, field?: string][] = [
    [browser.api("/api/auth/no-such-call", {}), "NOT_FOUND", say("codes:NOT_FOUND")],
    [
      browser.api("/api/auth/get-session", {}),
      "METHOD_NOT_ALLOWED",
      say("codes:METHOD_NOT_ALLOWED"),
    ],
    [browser.api("/api/auth/revoke-sessions", {}), "UNAUTHORIZED", say("codes:UNAUTHORIZED")],
    [
      browser.api("/api/auth/sign-in/email-otp", { email: newEmail(), otp: "000000" }),
      "INVALID_OTP",
      say("validation:code.invalid"),
    ],
    [
      browser.api(SEND_CODE, { email: "nobody", type: "sign-in" }),
      "INVALID_EMAIL",
      say("validation:email.invalid"),
      "email",
    ],
  ];
  for (const [call, code, message, field] of cases) {
    expect(await (await call).json()).toEqual({ code, message, ...(field && { field }) });
  }

  const foreign = await fetch(new URL(SEND_CODE, gatehouse.url), {
    method: "POST",
    headers: { ...FOREIGN, "Accept-Language": language },
  });
  expect(await foreign.json()).toEqual({
    code: "FORBIDDEN_ORIGIN",
    message: say("codes:FORBIDDEN_ORIGIN"),
  });
});
