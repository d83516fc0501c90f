import { afterAll, expect, test } from "vitest";
import { addPasskey, newAuthenticator, optionsFor } from "../support/authenticator.ts";
import { locationOf, newBrowser } from "../support/client.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import { aSignedInUser, askForCode, aUser, newEmail, wrongCode } from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { startGatehouse } from "../support/worker.ts";

const AT_ONCE = 50;
const SIGN_IN = "/api/auth/sign-in/email-otp";

const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({ vars: provider.vars });
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function codeFor(email: string): Promise<string> {
  await askForCode(newBrowser(gatehouse), email);
  return gatehouse.mailbox.codeFor(email);
}

/** Enters codes at once, each from a browser with its own IP address. */
async function enterAtOnce(email: string, codes: string[]): Promise<number[]> {
  const responses = await Promise.all(
    codes.map((otp) => newBrowser(gatehouse).api(SIGN_IN, { email, otp })),
  );
  return responses.map(({ status }) => status);
}

async function count(table: "session" | "user", email: string): Promise<number> {
  const from = table === "user" ? "user" : "session JOIN user ON user.id = session.user_id";
  const row = await gatehouse.d1
    .prepare(`SELECT count(*) AS n FROM ${from} WHERE email = ?`)
    .bind(email)
    .first<{ n: number }>();
  return row?.n ?? -1;
}

test("50 entries of one code at once make one session", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { email } = await aUser(gatehouse);
    const code = await codeFor(email);

    const statuses = await enterAtOnce(email, Array(AT_ONCE).fill(code));

    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(await count("session", email)).toBe(1);
  }
});

test("50 entries of a new e-mail's code at once make one user and one session", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const email = newEmail("stranger");
    const code = await codeFor(email);

    const statuses = await enterAtOnce(email, Array(AT_ONCE).fill(code));

    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect([await count("user", email), await count("session", email)]).toEqual([1, 1]);
  }
});

test("50 uses of one passkey assertion at once make one session", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { user, browser: owner } = await aSignedInUser(gatehouse);
    const authenticator = newAuthenticator({ origin: gatehouse.origin });
    await addPasskey(owner, authenticator);
    const browser = newBrowser(gatehouse);
    const { challenge } = await optionsFor(browser, "authenticate");
    const response = authenticator.get(challenge);

    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        browser.api(
          "/api/auth/passkey/verify-authentication",
          { response },
          { headers: { "cf-connecting-ip": newBrowser(gatehouse).ipAddress } },
        ),
      ),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    // One session added the passkey, the other is new.
    expect(await count("session", user.email)).toBe(2);
  }
});

test.each(["an existing user", "a new user"])(
  "50 callbacks of one provider sign-in at once leave one user and one session (%s)",
  async (who) => {
    for (let round = 0; round < RACE_ROUNDS; round++) {
      const email = who === "a new user" ? newEmail("stranger") : (await aUser(gatehouse)).email;
      provider.setVisitor({ email, name: "Sofía" });
      const browser = newBrowser(gatehouse);
      const pressed = await browser.submit("/login", { intent: "social", provider: "oidc" });
      const url = pressed.headers.get("location") ?? "";
      // The provider accepts each of its codes once, so each callback has a code of its own.
      const callbacks = await Promise.all(
        Array.from({ length: AT_ONCE }, () => provider.visit(url)),
      );

      const answers = await Promise.all(
        callbacks.map((callback) => {
          const { pathname, search } = new URL(callback);
          return browser.get(pathname + search);
        }),
      );

      const signedIn = answers.filter((answer) => !locationOf(answer)?.startsWith("/login/error"));
      expect(signedIn).toHaveLength(1);
      expect(answers.filter(({ status }) => status >= 400)).toEqual([]);
      expect([await count("user", email), await count("session", email)]).toEqual([1, 1]);
    }
  },
);

test("concurrent wrong codes use up a code like sequential ones", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { email } = await aUser(gatehouse);
    const code = await codeFor(email);
    // better-auth checks one code of a concurrent group. In all fewer than 100, which would stop the e-mail.
    for (let wave = 0; wave < 4; wave++) {
      const statuses = await enterAtOnce(email, Array(20).fill(wrongCode(code)));
      expect(statuses.filter((status) => status === 200 || status >= 500)).toEqual([]);
    }

    const [right] = await enterAtOnce(email, [code]);

    expect(right).toBe(400);
    expect(await count("session", email)).toBe(0);
  }
});

test("five codes requested at once make at most one session", async () => {
  const email = newEmail();
  await Promise.all(Array.from({ length: 5 }, () => askForCode(newBrowser(gatehouse), email)));
  const codes: string[] = [];
  for (let index = 0; index < 5; index++) codes.push(await gatehouse.mailbox.codeFor(email));

  const statuses: number[] = [];
  for (const otp of codes) {
    statuses.push((await newBrowser(gatehouse).api(SIGN_IN, { email, otp })).status);
    if (statuses.at(-1) === 200) break;
  }

  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect(await count("session", email)).toBeLessThanOrEqual(1);
});

test("a ban during a sign-in leaves no working session", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const user = await aUser(gatehouse);
    const code = await codeFor(user.email);
    const browser = newBrowser(gatehouse);

    const [response] = await Promise.all([
      browser.api(SIGN_IN, { email: user.email, otp: code }),
      gatehouse.d1.prepare("UPDATE user SET banned = 1 WHERE id = ?").bind(user.id).run(),
    ]);

    expect([200, 403]).toContain(response.status);
    expect((await browser.get("/app")).headers.get("location")).toBe("/login?redirect=%2Fapp");
  }
});

test("50 sign-outs at once all succeed", async () => {
  const { email } = await aUser(gatehouse);
  const browser = newBrowser(gatehouse);
  await browser.api(SIGN_IN, { email, otp: await codeFor(email) });
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");

  const responses = await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      newBrowser(gatehouse).submit("/sign-out", {}, { headers: { cookie } }),
    ),
  );

  expect(responses.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(302));
  expect(await count("session", email)).toBe(0);
});
