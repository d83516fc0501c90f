import { afterAll, beforeEach, expect, test } from "vitest";
import { locationOf, newBrowser, readText } from "../support/client.ts";
import { linkedAccountsOf, readNext } from "../support/linked-accounts.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import { anAdmin, aSignedInUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const ACCOUNT = "/app/account";
const METHODS = `${ACCOUNT}#sign-in-methods`;
const say = translationsIn("en");
const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({ vars: provider.vars });
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => provider.setCondition("well"));
const { link, followCallback, linkThrough, accountsOf, anAccount, linkEventsOf } = linkedAccountsOf(
  gatehouse,
  provider,
);

test("linking an account shows its e-mail and date, is recorded once, and lets the account sign in", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  expect(readText(await (await browser.get(ACCOUNT)).text())).toContain(
    `${say("account:linked.email")} ${say("account:linked.always")} ${user.email} Testpass Not linked Link`,
  );
  // Providers write an e-mail as its owner typed it.
  provider.setVisitor({ email: user.email.toUpperCase() });

  const back = await linkThrough(browser);

  expect(back.headers.get("location")).toBe(METHODS);
  expect(await accountsOf(user.id)).toMatchObject([{ provider_id: "oidc", email: user.email }]);
  const page = await readNext(browser, back);
  expect(page).toContain(say("account:linked.done"));
  expect(page).toContain(`Testpass ${user.email} · Linked`);
  expect(page).toMatch(/Linked .+ Unlink/);
  expect(await linkEventsOf(user.id)).toEqual([
    { action: "account.linked", actorId: user.id, details: { provider: "oidc" } },
  ]);

  const other = newBrowser(gatehouse);
  const pressed = await other.submit("/login", { intent: "social", provider: "oidc" });
  await other.follow(followCallback(other, pressed));
  const session = await (await other.get("/api/auth/get-session")).text();
  expect(JSON.parse(session)).toMatchObject({ user: { id: user.id } });
});

test("an admin returns to the account screen of the manager area", async () => {
  const { user, browser } = await anAdmin(gatehouse);
  provider.setVisitor({ email: user.email });

  expect(locationOf(await linkThrough(browser, "/manager/account"))).toBe(
    "/manager/account#sign-in-methods",
  );
  expect(await accountsOf(user.id)).toHaveLength(1);
});

test("linking an account again changes nothing", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  provider.setVisitor({ email: user.email });
  await linkThrough(browser);

  const again = await linkThrough(browser);

  expect(await readNext(browser, again)).toContain(say("account:linked.done"));
  expect(await accountsOf(user.id)).toHaveLength(1);
  expect(await linkEventsOf(user.id)).toHaveLength(1);
});

test("an account linked to another user stays linked to them", async () => {
  const { user: owner, browser: ofOwner } = await aSignedInUser(gatehouse);
  provider.setVisitor({ email: owner.email });
  await linkThrough(ofOwner);
  // The owner's e-mail has changed since, and the second user has the e-mail that the provider knows.
  const email = owner.email;
  await gatehouse.d1
    .prepare("UPDATE user SET email = ? WHERE id = ?")
    .bind(newEmail("moved"), owner.id)
    .run();
  const { user, browser } = await aSignedInUser(gatehouse, { email });

  const back = await linkThrough(browser);

  expect(locationOf(back)).toBe(METHODS);
  expect(await readNext(browser, back)).toContain(say("account:linked.taken"));
  expect(await accountsOf(user.id)).toEqual([]);
  expect(await accountsOf(owner.id)).toHaveLength(1);
});

test.each([
  ["with another e-mail", { email: newEmail("elsewhere") }, "otherAddress"],
  ["with an unverified e-mail", { isEmailVerified: false }, "unverified"],
  ["after Cancel at the provider", "refuses", "refused"],
] as const)(
  "an account %s is not linked, and the screen says why",
  async (_name, visitor, reason) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    provider.setVisitor(visitor === "refuses" ? visitor : { email: user.email, ...visitor });

    const back = await linkThrough(browser);

    expect(back.headers.get("location")).toBe(METHODS);
    expect(await readNext(browser, back)).toContain(say(`account:linked.${reason}`));
    expect(await accountsOf(user.id)).toEqual([]);
  },
);

test("the screen reports a failing provider, before and after the visit to it", async () => {
  await using patient = await startGatehouse({ vars: provider.vars });
  patient.tolerateErrors();
  const { user, browser } = await aSignedInUser(patient);
  provider.setVisitor({ email: user.email });
  provider.setCondition("down");
  const refused = await link(browser);
  expect(locationOf(refused)).toBe(METHODS);
  expect(await readNext(browser, refused)).toContain(say("codes:SERVICE_UNAVAILABLE"));

  provider.setCondition("well");
  const pressed = await link(browser);
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
  provider.setCondition("down");
  const ended = await browser.get(back.pathname + back.search);
  provider.setCondition("well");

  expect(locationOf(ended)).toBe(METHODS);
  expect(await readNext(browser, ended)).toContain(say("account:linked.failed"));
  expect(await accountsOf(user.id, patient)).toEqual([]);
});

test.each(["", "?state=x&code=y", "?state=x&error=access_denied", "?error=<script>"])(
  "an invalid callback (%s) redirects a signed-in user to the account screen and links nothing",
  async (search) => {
    const { user, browser } = await aSignedInUser(gatehouse);

    const back = await browser.get(`/api/auth/callback/oidc${search}`);

    expect(locationOf(back)).toBe(METHODS);
    expect(await readNext(browser, back)).toContain(say("account:linked.failed"));
    expect(await accountsOf(user.id)).toEqual([]);
  },
);

test("a linking cannot be finished by another user or without the session", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { user: thief, browser: ofThief } = await aSignedInUser(gatehouse);
  provider.setVisitor({ email: user.email });
  const pressed = await link(browser);
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));

  await ofThief.get(back.pathname + back.search);
  expect(await accountsOf(thief.id)).toEqual([]);
  expect(await accountsOf(user.id)).toEqual([]);

  const again = await link(browser);
  await gatehouse.d1.prepare("DELETE FROM session WHERE user_id = ?").bind(user.id).run();
  const late = await followCallback(browser, again);
  expect(locationOf(late)).toBe(METHODS);
  expect(await accountsOf(user.id)).toEqual([]);
});

test("eight callbacks at once link one account", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  provider.setVisitor({ email: user.email });
  const backs: URL[] = [];
  for (let count = 0; count < 8; count++) {
    const pressed = await link(browser);
    backs.push(new URL(await provider.visit(pressed.headers.get("location") ?? "")));
  }

  const responses = await Promise.all(
    backs.map((back) => browser.get(back.pathname + back.search)),
  );

  for (const response of responses) expect(locationOf(response)).toBe(METHODS);
  expect(await accountsOf(user.id)).toHaveLength(1);
  expect(await linkEventsOf(user.id)).toHaveLength(1);
});

test("the API links only for a signed-in user, to the product's own screen, and by redirect", async () => {
  const anonymous = await newBrowser(gatehouse).api("/api/auth/link-social", { provider: "oidc" });
  expect(anonymous.status).toBe(401);
  const { user, browser } = await aSignedInUser(gatehouse);

  const response = await browser.api("/api/auth/link-social", {
    provider: "oidc",
    callbackURL: "https://evil.example",
    errorCallbackURL: "https://evil.example",
    scopes: ["admin"],
    additionalData: { link: { userId: "x" } },
  });

  expect(response.status).toBe(200);
  const { url } = JSON.parse(await response.text());
  expect(url.startsWith(provider.issuer)).toBe(true);
  expect(url).not.toContain("admin");
  provider.setVisitor({ email: user.email });
  const back = new URL(await provider.visit(url));
  expect(locationOf(await browser.get(back.pathname + back.search))).toBe(METHODS);
  expect(await accountsOf(user.id)).toHaveLength(1);
});

test.each(["account-info", "get-access-token", "refresh-token"])(
  "/api/auth/%s is not offered",
  async (endpoint) => {
    const { browser } = await aSignedInUser(gatehouse);

    expect((await browser.api(`/api/auth/${endpoint}`)).status).toBe(404);
    expect((await browser.get(`/api/auth/${endpoint}`)).status).toBe(404);
  },
);

test.each(["2 before", "2 after", "3 before", "3 after"])(
  "unlinking and its audit record are written together or not at all, with a fault at call %s",
  async (fault) => {
    gatehouse.tolerateErrors();
    const { user, browser } = await aSignedInUser(gatehouse);
    const id = await anAccount(user.id, "oidc");

    await browser.submit(
      ACCOUNT,
      { intent: "unlink", account: id },
      { headers: { "x-d1-fault": fault } },
    );

    const isGone = (await accountsOf(user.id)).length === 0;
    expect(await linkEventsOf(user.id)).toHaveLength(isGone ? 2 : 1);
    await browser.submit(ACCOUNT, { intent: "unlink", account: id });
    expect(await linkEventsOf(user.id)).toHaveLength(2);
  },
);
