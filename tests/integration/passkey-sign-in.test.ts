import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import {
  addPasskey,
  newAuthenticator,
  optionsFor,
  signInWithPasskey,
} from "../support/authenticator.ts";
import { locationOf, newBrowser, readText, setCookieOf } from "../support/client.ts";
import { expectRefusal, keyHolders } from "../support/passkeys.ts";
import { aSignedInUser, newEmail } from "../support/people.ts";
import { signInSteps } from "../support/sessions.ts";
import { startGatehouse } from "../support/worker.ts";

const ADMIN_EMAIL = newEmail("head");
const REGISTER = "/api/auth/passkey/verify-registration";
const SIGN_IN = "/api/auth/passkey/verify-authentication";

const gatehouse = await startGatehouse({ vars: { ADMIN_EMAILS: ADMIN_EMAIL } });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { origin } = gatehouse;

const { aKeyHolder, count } = keyHolders(gatehouse);

test("an added passkey signs in, and both are recorded once", async () => {
  const { user, authenticator, id } = await aKeyHolder();
  const browser = newBrowser(gatehouse);

  const response = await signInWithPasskey(browser, authenticator);

  expect([response.status, await response.json()]).toEqual([200, { url: "/app", redirect: true }]);
  expect(setCookieOf(response, "gatehouse.session_token")).toMatch(/HttpOnly/);
  expect(setCookieOf(response, "gatehouse.device")).toBeDefined();
  expect((await browser.get("/app")).status).toBe(200);
  const audit = (await auditOf(gatehouse, user.id)).map(({ action }) => action);
  expect(audit.filter((action) => action === "passkey.added")).toHaveLength(1);
  expect(audit.filter((action) => action === "user.signed_in")).toHaveLength(2);
  const row = await gatehouse.d1
    .prepare("SELECT name, last_used_at FROM passkey WHERE id = ?")
    .bind(id)
    .first<{ name: string; last_used_at: number }>();
  expect(row?.name).toBe("Firefox · Linux");
  expect(row?.last_used_at).toBeGreaterThan(Date.now() - 60_000);
});

test.each([
  ["/app/organizations?page=2", "/app/organizations?page=2"],
  [`${origin}/app/account`, "/app/account"],
  ["/", "/app"],
  [origin, "/app"],
  ["/health", "/app"],
])("a sign-in with the callback URL %s leads to %s", async (callbackURL, url) => {
  const { authenticator } = await aKeyHolder();
  const browser = newBrowser(gatehouse);
  const { challenge } = await optionsFor(browser, "authenticate");
  const response = authenticator.get(challenge);

  const answer = await browser.api(SIGN_IN, { response, callbackURL });

  expect(await answer.json()).toEqual({ url, redirect: true });
});

test.each([
  ["//evil.example", 403, "INVALID_CALLBACK_URL"],
  ["https://evil.example/app", 403, "INVALID_CALLBACK_URL"],
  [`${origin}@evil.example/app`, 403, "INVALID_CALLBACK_URL"],
  [`${origin}//evil.example/app`, 403, "INVALID_CALLBACK_URL"],
  ["javascript:alert(1)", 403, "INVALID_CALLBACK_URL"],
  [{ path: "/app" }, 400, "INVALID_PAYLOAD"],
])(
  "a sign-in with the callback URL %o is refused, before anybody is signed in",
  async (callbackURL, status, code) => {
    const { authenticator } = await aKeyHolder();
    const browser = newBrowser(gatehouse);
    const { challenge } = await optionsFor(browser, "authenticate");
    const response = authenticator.get(challenge);

    const answer = await browser.api(SIGN_IN, { response, callbackURL });

    await expectRefusal(answer, status, code);
    expect(locationOf(await browser.get("/app"))).toBe("/login?redirect=%2Fapp");
  },
);

test("a client that names no page gets session and user, as better-auth answers, and no token", async () => {
  const { user, authenticator } = await aKeyHolder();
  const browser = newBrowser(gatehouse);
  const { challenge } = await optionsFor(browser, "authenticate");

  const answer = await browser.api(SIGN_IN, { response: authenticator.get(challenge) });

  const token = decodeURIComponent(browser.cookies.get("gatehouse.session_token") ?? "");
  const text = await answer.text();
  const { session, user: shown } = JSON.parse(text);
  expect(shown).toMatchObject({ id: user.id, email: user.email });
  expect(session).toMatchObject({ userId: user.id, token: session.id });
  expect(token).not.toBe("");
  expect(text).not.toContain(token.split(".")[0]);
});

test("a passkey without user verification is neither added nor accepted", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const careless = newAuthenticator({ origin, isVerifying: false });
  await expectRefusal(await addPasskey(browser, careless), 401, "AUTHENTICATION_FAILED");

  const { authenticator } = await aKeyHolder();
  const { challenge } = await optionsFor(browser, "authenticate");
  const { response } = authenticator.get(challenge);
  const data = Buffer.from(response.authenticatorData, "base64url");
  data.writeUInt8(data.readUInt8(32) & ~0x04, 32);
  const answer = await browser.api(SIGN_IN, {
    response: {
      ...authenticator.get(challenge),
      response: { ...response, authenticatorData: data.toString("base64url") },
    },
  });
  await expectRefusal(answer, 401, "AUTHENTICATION_FAILED");
});

test("a passkey used on a page of another origin is refused", async () => {
  const { authenticator } = await aKeyHolder();
  authenticator.device.origin = "https://gatehouse.evil.example";

  const response = await signInWithPasskey(newBrowser(gatehouse), authenticator);

  await expectRefusal(response, 401, "AUTHENTICATION_FAILED");
  const { browser } = await aSignedInUser(gatehouse);
  const elsewhere = newAuthenticator({ origin });
  elsewhere.device.origin = "https://gatehouse.evil.example";
  await expectRefusal(await addPasskey(browser, elsewhere), 400, "FAILED_TO_VERIFY_REGISTRATION");
});

test("an unknown passkey, a wrong signature and a counter that decreases get the same answer", async () => {
  const { authenticator } = await aKeyHolder({ counter: 5 });
  const unknown = await signInWithPasskey(newBrowser(gatehouse), newAuthenticator({ origin }));
  await expectRefusal(unknown, 401, "AUTHENTICATION_FAILED");

  const browser = newBrowser(gatehouse);
  const { challenge } = await optionsFor(browser, "authenticate");
  const forged = { ...newAuthenticator({ origin }).get(challenge), id: authenticator.id };
  const wrong = await browser.api(SIGN_IN, { response: { ...forged, rawId: authenticator.id } });
  await expectRefusal(wrong, 401, "AUTHENTICATION_FAILED");

  expect((await signInWithPasskey(newBrowser(gatehouse), authenticator)).status).toBe(200);
  authenticator.device.counter = 3;
  const copied = await signInWithPasskey(newBrowser(gatehouse), authenticator);
  await expectRefusal(copied, 401, "AUTHENTICATION_FAILED");
});

test("a challenge works once, in its own browser, and for its own ceremony", async () => {
  const { browser: owner, authenticator } = await aKeyHolder();
  const browser = newBrowser(gatehouse);
  const { challenge } = await optionsFor(browser, "authenticate");
  const response = authenticator.get(challenge);

  await expectRefusal(
    await newBrowser(gatehouse).api(SIGN_IN, { response }),
    400,
    "CHALLENGE_NOT_FOUND",
  );
  expect((await browser.api(SIGN_IN, { response })).status).toBe(200);
  await expectRefusal(await browser.api(SIGN_IN, { response }), 400, "CHALLENGE_NOT_FOUND");

  const other = await optionsFor(owner, "register");
  await expectRefusal(
    await owner.api(SIGN_IN, { response: authenticator.get(other.challenge) }),
    400,
    "CHALLENGE_NOT_FOUND",
  );
});

test.each([
  ["is removed", "DELETE FROM passkey"],
  ["has a copy that signs in", "UPDATE passkey SET counter = 7"],
])("a passkey that %s at the same moment does not sign in", async (_event, change) => {
  const { user, authenticator } = await aKeyHolder({ counter: 5 });
  const before = await count("session WHERE user_id = ?", user.id);
  authenticator.device.counter = 6;
  // The trigger runs between the reads and the writes of the request.
  await gatehouse.d1
    .prepare(
      `CREATE TRIGGER meanwhile AFTER DELETE ON verification
       BEGIN ${change} WHERE user_id = '${user.id}'; END`,
    )
    .run();

  const answer = await signInWithPasskey(newBrowser(gatehouse), authenticator);
  await gatehouse.d1.prepare("DROP TRIGGER meanwhile").run();

  await expectRefusal(answer, 401, "AUTHENTICATION_FAILED");
  expect(await count("session WHERE user_id = ?", user.id)).toBe(before);
});

test("a banned user is refused and sees the reason", async () => {
  const { user, authenticator } = await aKeyHolder();
  await gatehouse.d1
    .prepare("UPDATE user SET banned = 1, ban_reason = 'Spam' WHERE id = ?")
    .bind(user.id)
    .run();
  const browser = newBrowser(gatehouse);

  await expectRefusal(await signInWithPasskey(browser, authenticator), 403, "BANNED_USER");
  expect(await count("session WHERE user_id = ?", user.id)).toBe(0);
  const page = await browser.get("/login/error?error=BANNED_USER");
  expect(readText(await page.text())).toContain("Spam");
  await expect.poll(() => signInSteps(gatehouse, user.id)).toContain("denied.banned");
});

test("an e-mail in ADMIN_EMAILS makes an admin at the next sign-in with a passkey", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const authenticator = newAuthenticator({ origin });
  await addPasskey(browser, authenticator);
  await gatehouse.d1
    .prepare("UPDATE user SET email = ? WHERE id = ?")
    .bind(ADMIN_EMAIL, user.id)
    .run();
  const next = newBrowser(gatehouse);

  await signInWithPasskey(next, authenticator);

  expect((await next.get("/manager/dashboard")).status).toBe(200);
});

test("a user without a name goes to onboarding after a passkey sign-in", async () => {
  const { browser } = await aSignedInUser(gatehouse, { name: "", onboarded_at: null });
  const authenticator = newAuthenticator({ origin });
  await addPasskey(browser, authenticator);
  const next = newBrowser(gatehouse);

  await signInWithPasskey(next, authenticator);

  expect(locationOf(await next.get("/app"))).toBe("/onboarding?redirect=%2Fapp");
});

test("a malformed passkey is refused with INVALID_PAYLOAD", async () => {
  const { browser, authenticator } = await aKeyHolder();
  const register = authenticator.create("challenge");
  const assertion = authenticator.get("challenge");
  const bodies: unknown[] = [
    {},
    [],
    null,
    "text",
    { response: null },
    { response: "text" },
    { response: [] },
    { response: { ...assertion, id: 7 } },
    { response: { ...assertion, id: "ä" } },
    { response: { ...assertion, id: "a".repeat(1_365), rawId: "a".repeat(1_365) } },
    { response: { ...assertion, type: "password" } },
    { response: { ...assertion, response: null } },
    { response: { ...assertion, response: { ...assertion.response, signature: { $ne: "" } } } },
    { response: { ...register, response: { ...register.response, transports: "internal" } } },
    { response: { ...register, response: { ...register.response, transports: ["a,b"] } } },
    { response: JSON.parse('{"__proto__": {"id": "x"}}') },
  ];
  for (const body of bodies) {
    for (const path of [REGISTER, SIGN_IN]) {
      const response = await browser.api(path, body, {
        headers: { "cf-connecting-ip": `203.0.113.${bodies.indexOf(body)}` },
      });
      await expectRefusal(response, 400, "INVALID_PAYLOAD");
    }
  }
});

test("a well-formed but invalid passkey is refused", async () => {
  const { browser, authenticator } = await aKeyHolder();
  const damage: ((response: Record<string, string>) => void)[] = [
    (response) => Object.assign(response, { signature: "AAAA" }),
    (response) => Object.assign(response, { authenticatorData: "AAAA" }),
    (response) => Object.assign(response, { clientDataJSON: "AAAA" }),
    (response) => Object.assign(response, { clientDataJSON: btoa("null").replaceAll("=", "") }),
  ];
  for (const [index, spoil] of damage.entries()) {
    const headers = { "cf-connecting-ip": `203.0.113.${100 + index}` };
    const { challenge } = await optionsFor(browser, "authenticate");
    const assertion = authenticator.get(challenge);
    spoil(assertion.response);
    const response = await browser.api(SIGN_IN, { response: assertion }, { headers });
    expect([response.status, index]).toEqual([401, index]);
  }
  for (const attestationObject of ["AAAA", "oA", "_____w"]) {
    const { challenge } = await optionsFor(browser, "register");
    const created = newAuthenticator({ origin }).create(challenge);
    created.response.attestationObject = attestationObject;
    const response = await browser.api(REGISTER, { response: created });
    await expectRefusal(response, 400, "FAILED_TO_VERIFY_REGISTRATION");
  }
});

test("a passkey sign-in makes a trusted device, like a code", async () => {
  // The device, and for each mailbox the time and a signature.
  const cookie = /^([\w-]{36})\.\S+$/;
  const { user, browser, authenticator } = await aKeyHolder();
  const deviceOf = (of: typeof browser) =>
    cookie.exec(of.cookies.get("gatehouse.device") ?? "")?.[1];
  const trusted = deviceOf(browser);
  expect(trusted).toBeDefined();
  await gatehouse.d1.prepare("DELETE FROM session WHERE user_id = ?").bind(user.id).run();

  // The same device and the same e-mail have one signature, with the newest time.
  await signInWithPasskey(browser, authenticator);
  expect(deviceOf(browser)).toBe(trusted);
  const other = newBrowser(gatehouse);
  await signInWithPasskey(other, authenticator);
  expect(deviceOf(other)).not.toBe(trusted);
  expect(deviceOf(other)).toBeDefined();
});

test("one IP address may try 20 passkeys a minute", async () => {
  const browser = newBrowser(gatehouse);
  const statuses: number[] = [];
  for (let index = 0; index < 21; index++) {
    const response = await browser.api(SIGN_IN, {
      response: newAuthenticator({ origin }).get("challenge"),
    });
    statuses.push(response.status);
  }

  expect(statuses.slice(0, 20).every((status) => status === 400)).toBe(true);
  expect(statuses[20]).toBe(429);
});
