import { afterAll, beforeEach, expect, test } from "vitest";
import { saveAccess } from "../support/access-settings.ts";
import { addPasskey, newAuthenticator } from "../support/authenticator.ts";
import { type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import { anOrganization } from "../support/organizations.ts";
import { anAdmin, aSignedInUser, aUser, enterCode, newEmail } from "../support/people.ts";
import { signInSteps } from "../support/sessions.ts";
import { isFull } from "../support/thoroughness.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({ vars: provider.vars });
const closed = await startGatehouse({ vars: { ...provider.vars, SIGN_UP_ENABLED: "false" } });
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => provider.setCondition("well"));

/** Signs in at the provider and returns the response to the callback. */
async function signInThroughProvider(browser: Browser, login = "/login"): Promise<Response> {
  const pressed = await browser.submit(login, { intent: "social", provider: "oidc" });
  expect(pressed.status).toBe(302);
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
  expect(back.pathname).toBe("/api/auth/callback/oidc");
  return browser.get(back.pathname + back.search);
}

function findUser(target: Gatehouse, email: string) {
  return target.d1
    .prepare("SELECT * FROM user WHERE email = ?")
    .bind(email)
    .first<{ id: string; name: string; email_verified: number; onboarded_at: number | null }>();
}

async function accountsOf(userId: string) {
  const { results } = await gatehouse.d1
    .prepare("SELECT * FROM account WHERE user_id = ?")
    .bind(userId)
    .all<{ provider_id: string; email: string; access_token: string; id_token: string }>();
  return results;
}

test("the provider's button shows only when it is configured", async () => {
  await using plain = await startGatehouse();
  const textOf = async (target: Gatehouse) =>
    readText(await (await newBrowser(target).get("/login")).text());

  expect(await textOf(gatehouse)).toContain("Continue with Testpass");
  expect(await textOf(plain)).not.toContain("Continue with Testpass");
});

test("a new user signs up through the provider, and the provider's name is prefilled", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail("social");
  provider.setVisitor({ email, name: "Sofía Provider" });

  const back = await signInThroughProvider(browser, "/login?redirect=%2Fapp%3Fx%3D1");
  expect(locationOf(back)).toBe("/onboarding?redirect=%2Fapp%3Fx%3D1");
  const page = await browser.follow(back);

  expect(await page.text()).toContain('value="Sofía Provider"');
  const user = await findUser(gatehouse, email);
  expect(user).toMatchObject({ email_verified: 1, onboarded_at: null });
  expect(await accountsOf(user?.id ?? "")).toMatchObject([{ provider_id: "oidc", email }]);
});

test("a user who signed up through the provider signs in through it again", async () => {
  const email = newEmail("social");
  provider.setVisitor({ email, name: "Sofía" });
  await signInThroughProvider(newBrowser(gatehouse));
  const browser = newBrowser(gatehouse);

  await signInThroughProvider(browser);

  const user = await findUser(gatehouse, email);
  expect(await accountsOf(user?.id ?? "")).toHaveLength(1);
  expect((await browser.get("/onboarding")).status).toBe(200);
});

test.each([
  [{}, "/app"],
  [{ role: "admin" }, "/manager/dashboard"],
  [{ deletion_due_at: Date.now() + 1e8 }, "/restore"],
])("a user with %o goes directly to the first screen", async (overrides, first) => {
  const { email } = await aUser(gatehouse, overrides);
  provider.setVisitor({ email });

  expect(locationOf(await signInThroughProvider(newBrowser(gatehouse)))).toBe(first);
  // The account is linked from the second time on.
  expect(locationOf(await signInThroughProvider(newBrowser(gatehouse)))).toBe(first);
});

test("a sign-in through the provider leads to the requested page", async () => {
  const { email } = await aUser(gatehouse);
  provider.setVisitor({ email });
  const browser = newBrowser(gatehouse);

  const back = await signInThroughProvider(
    browser,
    "/login?redirect=%2Fapp%2Forganizations%3Fpage%3D2",
  );

  expect(locationOf(back)).toBe("/app/organizations?page=2");
});

test("an account that is unlinked during its sign-in does not sign in", async () => {
  const user = await aUser(gatehouse);
  provider.setVisitor({ email: user.email });
  await signInThroughProvider(newBrowser(gatehouse));
  await gatehouse.d1.prepare("DELETE FROM session WHERE user_id = ?").bind(user.id).run();
  // The account goes after the request has read it: at its first write, which then finds no row.
  await gatehouse.d1
    .prepare(
      `CREATE TRIGGER unlinking BEFORE UPDATE ON account WHEN OLD.user_id = '${user.id}'
       BEGIN DELETE FROM account WHERE id = OLD.id; SELECT RAISE(IGNORE); END`,
    )
    .run();

  const back = await signInThroughProvider(newBrowser(gatehouse));
  await gatehouse.d1.prepare("DROP TRIGGER unlinking").run();

  expect(locationOf(back)).toMatch(/^\/login\/error\?error=unable_to_update_account&/);
  const sessions = gatehouse.d1.prepare("SELECT id FROM session WHERE user_id = ?").bind(user.id);
  expect((await sessions.all()).results).toEqual([]);
});

test("an account is linked when both e-mails are verified", async () => {
  const user = await aUser(gatehouse);
  provider.setVisitor({ email: user.email });
  const browser = newBrowser(gatehouse);

  await signInThroughProvider(browser);

  expect(await accountsOf(user.id)).toMatchObject([{ provider_id: "oidc", email: user.email }]);
  expect((await browser.get("/app")).status).toBe(200);
});

test("Cancel at the provider leads to the error screen", async () => {
  const browser = newBrowser(gatehouse);
  provider.setVisitor("refuses");

  const back = await signInThroughProvider(browser);

  expect(locationOf(back)).toMatch(/^\/login\/error\?error=access_denied/);
  expect(readText(await (await browser.follow(back)).text())).toContain(
    "Access Denied Not able to login, please try again",
  );
});

test("with sign-up off an unknown e-mail is refused with a message, and an invited one signs up", async () => {
  const browser = newBrowser(closed);
  const email = newEmail("stranger");
  provider.setVisitor({ email });

  const back = await signInThroughProvider(browser);

  expect(locationOf(back)).toContain("error=signup_disabled");
  expect(readText(await (await browser.follow(back)).text())).toContain(
    `Account not found You need an account to login ${email}`,
  );
  expect(await findUser(closed, email)).toBeNull();

  const owner = await aUser(closed, { role: "admin" });
  await anOrganization(closed, {}, { owner, invitations: [{ email }] });
  expect(locationOf(await signInThroughProvider(newBrowser(closed)))).toBe("/onboarding");
});

test("with sign-up off an existing user can sign in", async () => {
  const user = await aUser(closed);
  provider.setVisitor({ email: user.email });
  const browser = newBrowser(closed);

  await signInThroughProvider(browser);

  expect((await browser.get("/app")).status).toBe(200);
});

test("a banned user sees the reason", async () => {
  const user = await aUser(gatehouse, { banned: 1, ban_reason: "Spam" });
  provider.setVisitor({ email: user.email });
  const browser = newBrowser(gatehouse);

  const back = await signInThroughProvider(browser);

  expect(locationOf(back)).toMatch(/^\/login\/error\?error=BANNED_USER/i);
  const text = readText(await (await browser.follow(back)).text());
  expect(text).toContain("You have been banned from this application");
  expect(text).toContain("Reason Spam");
  await expect.poll(() => signInSteps(gatehouse, user.id)).toEqual(["denied.banned"]);
  expect(locationOf(await browser.get("/app"))).toBe("/login?redirect=%2Fapp");
});

test("a person who comes by an invitation link signs up through the provider and joins", async () => {
  const { browser: manager } = await anAdmin(gatehouse);
  const owner = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: owner.user });
  const home = `/app/organizations/${organization.slug}`;
  const list = `${home}/invitations`;
  await owner.browser.submit(list, { intent: "create-link", uses: "1", days: "7" });
  const page = await (await owner.browser.get(list)).text();
  const link = /\/invitations\/links\/[\w.-]+/.exec(page)?.[0] ?? "";
  await saveAccess(gatehouse, manager, { signUpMode: "invitation", organizationsAdmit: "yes" });
  const comeBy = async (path: string) => {
    const email = newEmail("linked");
    provider.setVisitor({ email, name: "Lina" });
    const browser = newBrowser(gatehouse);
    const login = `/login?${new URLSearchParams({ redirect: path })}`;
    return { email, browser, back: await signInThroughProvider(browser, login) };
  };

  const stranger = await comeBy("/app");
  const invited = await comeBy(link);
  const late = await comeBy(link);
  await saveAccess(gatehouse, manager, { signUpMode: "open" });

  // Without the link the person has no account, and the link's one place is taken by the first.
  for (const { email, back } of [stranger, late]) {
    const refused = new URL(locationOf(back) ?? "", gatehouse.origin);
    expect(refused.pathname).toBe("/login/error");
    expect(refused.searchParams.get("error")).toBe("signup_disabled");
    expect(await findUser(gatehouse, email)).toBeNull();
  }
  expect(locationOf(invited.back)).toBe(`/onboarding?${new URLSearchParams({ redirect: link })}`);
  const named = await invited.browser.submit(locationOf(invited.back) ?? "", { name: "Lina" });
  expect(locationOf(named)).toBe(link);
  expect(locationOf(await invited.browser.submit(link, { intent: "join" }))).toBe(home);
  const role = await gatehouse.d1
    .prepare(
      "SELECT member.role FROM member JOIN user ON user.id = member.user_id WHERE user.email = ? AND organization_id = ?",
    )
    .bind(invited.email, organization.id)
    .first("role");
  expect(role).toBe("member");
});

test("the provider's tokens are stored encrypted, or not at all", async () => {
  const email = newEmail("social");
  provider.setVisitor({ email });
  await signInThroughProvider(newBrowser(gatehouse));
  const user = await findUser(gatehouse, email);

  await signInThroughProvider(newBrowser(gatehouse));

  const [account] = await accountsOf(user?.id ?? "");

  expect(account?.access_token).toMatch(/^\$ba\$\d+\$[0-9a-f]{64,}$/);
  expect(account?.id_token).toBeNull();
});

test("a redirect to another site is ignored before and after the visit to the provider", async () => {
  const { email } = await aUser(gatehouse);
  provider.setVisitor({ email });
  const browser = newBrowser(gatehouse);

  const back = await signInThroughProvider(browser, "/login?redirect=%2F%2Fevil.example");
  expect(locationOf(back)).toBe("/app");
  for (const [name, code] of [
    ["callbackURL", "INVALID_CALLBACK_URL"],
    ["newUserCallbackURL", "INVALID_NEW_USER_CALLBACK_URL"],
    ["errorCallbackURL", "INVALID_ERROR_CALLBACK_URL"],
  ] as const) {
    const asked = { provider: "oidc", [name]: "https://evil.example" };
    const api = await newBrowser(gatehouse).api("/api/auth/sign-in/social", asked);
    expect([api.status, await api.json()]).toMatchObject([403, { code }]);
  }
  const { results } = await gatehouse.d1.prepare("SELECT value FROM verification").all();
  expect(JSON.stringify(results)).not.toContain("evil.example");
});

test("a client's sign-in leads to the page that it names, and a new user to theirs", async () => {
  const known = await aUser(gatehouse);
  const asked = {
    provider: "oidc",
    disableRedirect: true,
    errorCallbackURL: "/app",
    callbackURL: `${gatehouse.origin}/app/account`,
    newUserCallbackURL: "/app/organizations?welcome",
  };
  const visit = async (email: string) => {
    provider.setVisitor({ email });
    const browser = newBrowser(gatehouse);
    const answer = await browser.api("/api/auth/sign-in/social", asked);
    const { url, redirect }: { url: string; redirect: boolean } = JSON.parse(await answer.text());
    expect(redirect).toBe(false);
    const back = new URL(await provider.visit(url));
    return locationOf(await browser.get(back.pathname + back.search));
  };

  expect(await visit(known.email)).toBe("/app/account");
  const next = encodeURIComponent("/app/organizations?welcome");
  expect(await visit(newEmail("social"))).toBe(`/onboarding?redirect=${next}`);
});

test.each(["/api/auth/sign-in/social", "/api/auth/link-social"])(
  "a provider's token signs in and links nobody at %s",
  async (path) => {
    const { browser } = await aSignedInUser(gatehouse);

    const answer = await browser.api(path, { provider: "oidc", idToken: { token: "x" } });

    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: "ID_TOKEN_NOT_SUPPORTED" },
    ]);
  },
);

test("another browser cannot complete a sign-in", async () => {
  const { email } = await aUser(gatehouse);
  provider.setVisitor({ email });
  const browser = newBrowser(gatehouse);
  const pressed = await browser.submit("/login", { intent: "social", provider: "oidc" });
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
  const other = newBrowser(gatehouse);

  const response = await other.get(back.pathname + back.search);

  expect(locationOf(response)).toMatch(/^\/login\/error\?error=/);
  expect(locationOf(await other.get("/app"))).toBe("/login?redirect=%2Fapp");
});

test.each(["", "?state=x&code=y", "?error=<script>", "?code=x", "?state=x&error=access_denied"])(
  "an invalid callback (%s) ends on the error screen",
  async (search) => {
    const browser = newBrowser(gatehouse);

    const page = await browser.follow(browser.get(`/api/auth/callback/oidc${search}`));

    expect(page.status).toBe(200);
    expect(page.url).toContain("/login/error");
    expect(await page.text()).not.toContain("<script>alert");
  },
);

test("a signed-in user is redirected instead of signing in through a provider", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const response = await browser.submit("/login", { intent: "social", provider: "oidc" });

  expect(locationOf(response)).toBe("/app");
});

test.each(["down", "hanging"] as const)(
  "a provider that is %s is given up, which leads to the error screen",
  { timeout: 60_000 },
  async (condition) => {
    await using waiting = await startGatehouse({ vars: provider.vars });
    waiting.tolerateErrors();
    provider.setCondition(condition);
    const browser = newBrowser(waiting);
    const started = performance.now();

    const response = await browser.submit("/login", { intent: "social", provider: "oidc" });

    if (isFull) expect(performance.now() - started).toBeLessThan(15_000);
    expect(locationOf(response)).toBe("/login/error?error=unknown_error");
    if (condition === "down") {
      const api = await browser.api("/api/auth/sign-in/social", { provider: "oidc" });
      expect(api.status).toBe(503);
    }
    // Users sign in without the provider meanwhile, and through it once it works again.
    await aSignedInUser(waiting);
    provider.setCondition("well");
    provider.setVisitor({ email: newEmail("social") });
    await signInThroughProvider(newBrowser(waiting));
  },
);

test("beside a passkey, neither a provider's e-mail nor a code links an account", async () => {
  const { user, browser: own } = await aSignedInUser(gatehouse);
  expect((await addPasskey(own, newAuthenticator({ origin: gatehouse.origin }))).status).toBe(200);

  provider.setVisitor({ email: user.email });
  const vouched = await signInThroughProvider(newBrowser(gatehouse));
  const refused = new URLSearchParams({ error: "PASSKEY_REQUIRED", email: user.email });
  expect(locationOf(vouched)).toBe(`/login/error?${refused}`);
  const page = await newBrowser(gatehouse).get("/login/error?error=PASSKEY_REQUIRED");
  expect(readText(await page.text())).toContain("Sign in with your passkey");

  // A provider that does not vouch for the e-mail asks for a code. It signs in, and links nothing.
  provider.setVisitor({ email: user.email, isEmailVerified: false });
  const browser = newBrowser(gatehouse);
  await browser.follow(await signInThroughProvider(browser));
  const code = await gatehouse.mailbox.codeFor(user.email);
  expect(locationOf(await enterCode(browser, user.email, code))).toBe("/app");
  expect(await accountsOf(user.id)).toEqual([]);
  const sessions = "SELECT count(*) AS n FROM session WHERE user_id = ?";
  expect(await gatehouse.d1.prepare(sessions).bind(user.id).first("n")).toBe(2);

  // Signed in with the passkey, the account screen links it.
  provider.setVisitor({ email: user.email });
  const pressed = await own.submit("/app/account", { intent: "link", provider: "oidc" });
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
  await own.get(back.pathname + back.search);
  expect(await accountsOf(user.id)).toHaveLength(1);
});
