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

/** Enters codes at the same moment, each from a browser and an address of its own. */
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

test("one code entered 50 times at once makes one session", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { email } = await aUser(gatehouse);
    const code = await codeFor(email);

    const statuses = await enterAtOnce(email, Array(AT_ONCE).fill(code));

    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(await count("session", email)).toBe(1);
  }
});

test("a stranger's code entered 50 times at once makes one person and one session", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const email = newEmail("stranger");
    const code = await codeFor(email);

    const statuses = await enterAtOnce(email, Array(AT_ONCE).fill(code));

    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect([await count("user", email), await count("session", email)]).toEqual([1, 1]);
  }
});

test("one passkey's assertion sent 50 times at once makes one session", async () => {
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
    // The one that added the passkey, and the new one.
    expect(await count("session", user.email)).toBe(2);
  }
});

test.each(["somebody known", "a stranger"])(
  "%s who comes back from a provider 50 times at once with one state gets one session",
  async (who) => {
    for (let round = 0; round < RACE_ROUNDS; round++) {
      const email = who === "a stranger" ? newEmail("stranger") : (await aUser(gatehouse)).email;
      provider.setVisitor({ email, name: "Sofía" });
      const browser = newBrowser(gatehouse);
      const pressed = await browser.submit("/login", { intent: "social", provider: "oidc" });
      const address = pressed.headers.get("location") ?? "";
      // The provider takes each of its codes once, so each way back has a code of its own.
      const ways = await Promise.all(
        Array.from({ length: AT_ONCE }, () => provider.visit(address)),
      );

      const answers = await Promise.all(
        ways.map((way) => {
          const { pathname, search } = new URL(way);
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

test("guesses at once spend a code as guesses one by one do", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { email } = await aUser(gatehouse);
    const code = await codeFor(email);
    // Of those that meet, better-auth looks at one; fewer than 100 in all, where the mailbox stops anyway.
    for (let wave = 0; wave < 4; wave++) {
      const statuses = await enterAtOnce(email, Array(20).fill(wrongCode(code)));
      expect(statuses.filter((status) => status === 200 || status >= 500)).toEqual([]);
    }

    const [right] = await enterAtOnce(email, [code]);

    expect(right).toBe(400);
    expect(await count("session", email)).toBe(0);
  }
});

test("one address that asks for 5 codes at once can use the last of them", async () => {
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

test("a ban that comes while somebody signs in leaves no session that works", async () => {
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

test("of 50 sign-outs at once every one ends well", async () => {
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
