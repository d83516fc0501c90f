import { afterAll, expect, test } from "vitest";
import { readLink } from "../../app/features/auth/codes/code.ts";
import { mailboxOf } from "../../app/features/auth/mailbox.ts";
import { createKeys } from "../../app/runtime/keys.server.ts";
import {
  ENDPOINT_LIMITS,
  INVITATION_LIMITS,
  MAIL_LIMITS,
  NEW_EMAILS,
  USER_LIMITS,
  WRONG_CODES,
} from "../../app/values/rate-limits.ts";
import { askForChange } from "../support/account.ts";
import { sendCode } from "../support/account-confirm.ts";
import { locationOf, newBrowser } from "../support/client.ts";
import { exhaustAddress } from "../support/exhaust-address.ts";
import { insertRows } from "../support/insert.ts";
import { cancelByForm, inviteByForm } from "../support/invite.ts";
import type { SHOWN } from "../support/limit-answers.ts";
import { newestMail } from "../support/newest-mail.ts";
import { anOrganization } from "../support/organizations.ts";
import { aSignedInUser, aUser, enterCode, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

// For each limit, a stranger uses it up as far as possible. Then the victim still does what the limit is about.

const HOUR_MS = 3_600_000;
const SEND = "/api/auth/email-otp/send-verification-otp";

// The clock moves, so mails stay in the local inbox.
const gatehouse = await startGatehouse({ mail: "local" });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1 } = gatehouse;

function at(moment: number) {
  return { "x-clock": String(moment) };
}

/** Strangers in fresh browsers ask for so many codes, one a second. */
async function askFor(email: string, count: number, moment = Date.now() - 60_000) {
  for (let index = 0; index < count; index++) {
    const stranger = newBrowser(gatehouse, { headers: at(moment + index * 1_000) });
    await (await stranger.api(SEND, { email, type: "sign-in" })).arrayBuffer();
  }
}

/** The owner asks for a code, and enters the newest one of the mailbox. */
async function getsIn(email: string, moment = Date.now() + 1_000, browser = newBrowser(gatehouse)) {
  const init = { headers: at(moment) };
  await (await browser.submit("/login", { intent: "email", email }, init)).arrayBuffer();
  const { code } = await newestMail(gatehouse, email);
  const verify = `/login/verify?${new URLSearchParams({ email })}`;
  const entered = await browser.submit(verify, { intent: "verify", code }, init);
  expect(locationOf(entered)).toBe("/app");
  return browser;
}

/** An owner of an organization whose account is not new. */
async function anOwner(created = Date.now() - 48 * HOUR_MS) {
  const { user, browser } = await aSignedInUser(gatehouse, { created_at: created });
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const invite = (email: string) => inviteByForm(gatehouse, browser, organization, { email });
  const cancel = (invitation: string) => cancelByForm(browser, organization, invitation);
  return { user, browser, organization, invite, cancel };
}

type Name = (typeof SHOWN)[number];
type EndpointName = Extract<Name, `ENDPOINT_LIMITS.${string}`>;
type Other = Exclude<Name, EndpointName>;

const CASES: Record<Other, () => Promise<unknown>> = {
  async "MAIL_LIMITS.codesAtOnce"() {
    const { email } = await aUser(gatehouse);
    await askFor(email, MAIL_LIMITS.codesAtOnce.max);
    await getsIn(email);
  },
  async "MAIL_LIMITS.codeInterval"() {
    const { email } = await aUser(gatehouse);
    await askFor(email, MAIL_LIMITS.codesAtOnce.max + 3);
    await getsIn(email);
  },
  async "MAIL_LIMITS.earlyCodes"() {
    const { email } = await aUser(gatehouse);
    const { max } = MAIL_LIMITS.codesAtOnce;
    // The first code of an hour is not early.
    const hours = MAIL_LIMITS.earlyCodes.max / (max - 1);
    const start = Date.now();
    for (let hour = 0; hour < hours; hour++) {
      await askFor(email, max, start + hour * (HOUR_MS + 1_000));
    }
    const early = await d1
      .prepare("SELECT count(*) AS n FROM sign_in_code WHERE is_early AND mailbox = ?")
      .bind(await mailboxOf(createKeys(gatehouse.secret), email))
      .first<number>("n");
    expect(early).toBe(MAIL_LIMITS.earlyCodes.max);
    await getsIn(email, start + hours * (HOUR_MS + 1_000) + 60_000);
  },
  async "MAIL_LIMITS.trustedCodesAtOnce"() {
    await keepsTrustedDevice(MAIL_LIMITS.trustedCodesAtOnce.max);
  },
  async "MAIL_LIMITS.trustedCodes"() {
    await keepsTrustedDevice(MAIL_LIMITS.trustedCodes.max);
  },
  async "MAIL_LIMITS.ownCodes"() {
    const { user, browser } = await aSignedInUser(gatehouse);
    await askFor(user.email, MAIL_LIMITS.ownCodes.max);
    for (let count = 0; count < MAIL_LIMITS.newEmailCodes.max + 1; count++) {
      const stranger = await aSignedInUser(gatehouse);
      await (await askForChange(stranger.browser, user.email)).arrayBuffer();
    }
    expect((await sendCode(browser)).status).toBe(302);
  },
  async WRONG_CODES() {
    const { email } = await aUser(gatehouse);
    const budget = await mailboxOf(createKeys(gatehouse.secret), email);
    await insertRows(
      d1,
      "code_event",
      Array.from({ length: WRONG_CODES.max }, (_, index) => ({
        id: `wrong-${index}`,
        budget,
        kind: "failed",
        created_at: Date.now() - 60_000,
      })),
    );
    const browser = newBrowser(gatehouse);
    await (await browser.submit("/login", { intent: "email", email })).arrayBuffer();
    const { code, link } = await newestMail(gatehouse, email);
    expect((await enterCode(browser, email, code)).status).toBe(403);
    const verify = `/login/verify?${new URLSearchParams({ email })}`;
    const opened = await browser.submit(verify, { intent: "verify", ...readLink(link) });
    expect(locationOf(opened)).toBe("/app");
  },
  async NEW_EMAILS() {
    const [stranger, person] = [await aSignedInUser(gatehouse), await aSignedInUser(gatehouse)];
    for (let count = 0; count <= NEW_EMAILS.max; count++) {
      await (await askForChange(stranger.browser, newEmail())).arrayBuffer();
    }
    expect((await askForChange(person.browser, newEmail())).status).toBe(302);
  },
  async "INVITATION_LIMITS.toOne"() {
    const [stranger, honest] = [await anOwner(), await anOwner()];
    const email = newEmail();
    const statuses: number[] = [];
    for (let count = 0; count <= INVITATION_LIMITS.toOne.max; count++) {
      const { id, status } = await stranger.invite(email);
      statuses.push(status);
      if (id) await (await stranger.cancel(id)).arrayBuffer();
    }
    expect(statuses.at(-1)).toBe(409);
    expect((await honest.invite(email)).status).toBe(200);
  },
  async "INVITATION_LIMITS.byUser"() {
    const [stranger, honest] = [await anOwner(), await anOwner()];
    await insertRows(
      d1,
      "invitation",
      Array.from({ length: INVITATION_LIMITS.byUser.max }, (_, index) => ({
        id: crypto.randomUUID(),
        organization_id: stranger.organization.id,
        role: "member",
        email: newEmail(`many-${index}`),
        status: "canceled",
        inviter_id: stranger.user.id,
        created_at: Date.now(),
        sent_at: Date.now(),
        expires_at: 1,
      })),
    );
    expect((await stranger.invite(newEmail())).status).toBe(409);
    expect((await honest.invite(newEmail())).status).toBe(200);
  },
  async "INVITATION_LIMITS.byNewUser"() {
    const [stranger, honest] = [await anOwner(Date.now()), await anOwner(Date.now())];
    for (let count = 0; count < INVITATION_LIMITS.byNewUser.max; count++) {
      await stranger.invite(newEmail());
    }
    expect((await stranger.invite(newEmail())).status).toBe(409);
    expect((await honest.invite(newEmail())).status).toBe(200);
  },
  async "USER_LIMITS.changes"() {
    const [stranger, honest] = [await anOwner(), await anOwner()];
    await stranger.invite(newEmail());
    await d1
      .prepare("UPDATE rate_limit SET count = ? WHERE key = ?")
      .bind(USER_LIMITS.changes.max, `changes|${stranger.user.id}`)
      .run();
    expect((await stranger.invite(newEmail())).status).toBe(302);
    expect((await honest.invite(newEmail())).status).toBe(200);
  },
};

/** A trusted device gets in at once, however many codes strangers have asked for. */
async function keepsTrustedDevice(count: number) {
  const { email } = await aUser(gatehouse);
  const trusted = await getsIn(email, Date.now() - 120_000);
  await (await trusted.submit("/sign-out", {})).arrayBuffer();
  await askFor(email, count);
  const sent = () =>
    d1
      .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?")
      .bind(email)
      .first<number>("n");
  const before = (await sent()) ?? 0;
  await getsIn(email, Date.now() + 120_000, trusted);
  expect(await sent()).toBe(before + 1);
}

test.each(Object.keys(CASES) as Other[])(
  "a stranger who uses up %s leaves others working",
  async (name) => {
    await CASES[name]();
  },
);

/** Requests to the endpoints with limits of their own, and whether they need a session. */
const REQUESTS: Record<keyof typeof ENDPOINT_LIMITS, [method: "GET" | "POST", body: object]> = {
  "/email-otp/send-verification-otp": ["POST", { email: newEmail(), type: "sign-in" }],
  "/sign-in/email-otp": ["POST", { email: newEmail(), otp: "000000" }],
  "/sign-in/social": ["POST", { provider: "github" }],
  "/link-social": ["POST", { provider: "github" }],
  "/passkey/generate-authenticate-options": ["GET", {}],
  "/passkey/verify-authentication": ["POST", anAssertion()],
  "/passkey/generate-register-options": ["GET", {}],
  "/passkey/verify-registration": ["POST", anAssertion()],
};

function anAssertion() {
  const bytes = { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA" };
  const response = { ...bytes, attestationObject: "AAAA" };
  return { response: { id: "AAAA", rawId: "AAAA", type: "public-key", response } };
}

test.each(Object.entries(REQUESTS))(
  "who uses up %s at one IP address leaves others working",
  async (path, [method, body]) => {
    const { browser: member } = await aSignedInUser(gatehouse);
    const { max } = ENDPOINT_LIMITS[path as keyof typeof ENDPOINT_LIMITS];
    const status = await exhaustAddress(
      gatehouse,
      (browser) => {
        for (const [name, value] of member.cookies) browser.cookies.set(name, value);
        return method === "GET"
          ? browser.get(`/api/auth${path}`)
          : browser.api(`/api/auth${path}`, body);
      },
      max,
    );
    expect(status).not.toBe(429);
  },
);
