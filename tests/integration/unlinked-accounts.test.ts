import { afterAll, beforeEach, expect, test } from "vitest";
import { locationOf, newBrowser, readText } from "../support/client.ts";
import { linkedAccountsOf, readNext } from "../support/linked-accounts.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import { readPage, textOf } from "../support/page.ts";
import { anAdmin, aSignedInUser, aUser, signIn } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const ACCOUNT = "/app/account";
const CONFIRM = "/app/account/confirm?next=%2Fapp%2Faccount";
const say = translationsIn("en");
const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({ vars: provider.vars });
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => provider.setCondition("well"));
const { link, linkThrough, accountsOf, anAccount, linkEventsOf, age } = linkedAccountsOf(
  gatehouse,
  provider,
);

test("unlinking an account is recorded once, and a code still signs in", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  provider.setVisitor({ email: user.email });
  await linkThrough(browser);
  const [linked] = await accountsOf(user.id);

  const unlink = () => browser.submit(ACCOUNT, { intent: "unlink", account: linked?.id ?? "" });
  const page = await readNext(browser, await unlink());
  expect(page).toContain(say("account:linked.unlinked"));
  expect(page).toContain("Testpass Not linked");
  expect(await readNext(browser, await unlink())).toContain(say("codes:ACCOUNT_NOT_FOUND"));

  expect(await accountsOf(user.id)).toEqual([]);
  expect((await linkEventsOf(user.id)).at(-1)).toEqual({
    action: "account.unlinked",
    actorId: user.id,
    details: { provider: "oidc" },
  });
  expect(await linkEventsOf(user.id)).toHaveLength(2);
  const other = newBrowser(gatehouse);
  await signIn(gatehouse, other, user.email);
  expect((await other.get("/app")).status).toBe(200);
});

test("an account of a provider that is no longer configured is shown, and can only be unlinked", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const id = await anAccount(user.id, "github");

  const page = readText(await (await browser.get(ACCOUNT)).text());
  expect(page).toMatch(/GitHub No longer offered Linked .+ Unlink/);
  expect(await readNext(browser, await link(browser, ACCOUNT, "github"))).toContain(
    say("codes:PROVIDER_NOT_FOUND"),
  );

  await browser.submit(ACCOUNT, { intent: "unlink", account: id });
  expect(await accountsOf(user.id)).toEqual([]);
});

test("of two accounts at one provider, each button and its question say which is unlinked", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const withEmail = async (email: string | null) => {
    const id = await anAccount(user.id, "github");
    await gatehouse.d1.prepare("UPDATE account SET email = ? WHERE id = ?").bind(email, id).run();
  };
  for (const email of ["work@example.com", "home@example.com", null]) await withEmail(email);

  const page = readPage(await (await browser.get(ACCOUNT)).text());

  expect(page.findAll("button", "Unlink GitHub work@example.com")).toHaveLength(1);
  expect(page.findAll("button", "Unlink GitHub home@example.com")).toHaveLength(1);
  expect(page.findAll("button", "Unlink GitHub")).toHaveLength(1);
  const questions = page.findAll("alertdialog", /GitHub/).map(textOf);
  expect(questions).toEqual([
    expect.stringContaining("sign in with the GitHub account work@example.com."),
    expect.stringContaining("sign in with the GitHub account home@example.com."),
    expect.stringContaining("sign in with GitHub."),
  ]);
});

test("without providers the code by e-mail is shown as a sign-in method", async () => {
  await using plain = await startGatehouse();
  const { user, browser } = await aSignedInUser(plain);

  const page = readText(await (await browser.get(ACCOUNT)).text());

  expect(page).toContain(
    `${say("account:linked.email")} ${say("account:linked.always")} ${user.email}`,
  );
  expect(page).not.toContain("Not linked");
  expect(await readNext(browser, await link(browser))).toContain(say("codes:PROVIDER_NOT_FOUND"));
});

test("a user with an unproven e-mail keeps the last account that signs in", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const first = await anAccount(user.id, "oidc");
  const second = await anAccount(user.id, "oidc");
  const retired = await anAccount(user.id, "github");
  await gatehouse.d1.prepare("UPDATE user SET email_verified = 0 WHERE id = ?").bind(user.id).run();
  const unlink = (account: string) => browser.submit(ACCOUNT, { intent: "unlink", account });

  const [one, two] = await Promise.all([unlink(first), unlink(second)]);
  expect([one.status, two.status]).toEqual([302, 302]);
  const left = await accountsOf(user.id);
  expect(left).toHaveLength(2);
  const last = left.find(({ id }) => id !== retired)?.id ?? "";

  // GitHub is not configured, so its account does not count.
  expect(await readNext(browser, await unlink(last))).toContain(
    "You can't unlink your last account",
  );
  await unlink(retired);
  expect(await readNext(browser, await unlink(last))).toContain(
    "You can't unlink your last account",
  );
  expect(await accountsOf(user.id)).toMatchObject([{ id: last }]);
});

test("a passkey lets a user with an unproven e-mail unlink the last account", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const account = await anAccount(user.id, "oidc");
  await gatehouse.d1
    .prepare(
      "INSERT INTO passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up, created_at) VALUES (?, 'key', ?, ?, 0, 'singleDevice', 0, 0)",
    )
    .bind(crypto.randomUUID(), user.id, crypto.randomUUID())
    .run();
  await gatehouse.d1.prepare("UPDATE user SET email_verified = 0 WHERE id = ?").bind(user.id).run();
  const unlink = () => browser.submit(ACCOUNT, { intent: "unlink", account });

  expect(locationOf(await unlink())).toContain("/app/account/confirm?");
  await gatehouse.d1
    .prepare("UPDATE session SET passkey_proved_at = 1 WHERE user_id = ?")
    .bind(user.id)
    .run();
  await unlink();

  expect(await accountsOf(user.id)).toEqual([]);
});

test("another user's account cannot be unlinked", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const victim = await aUser(gatehouse);
  const id = await anAccount(victim.id, "oidc");

  const response = await browser.submit(ACCOUNT, { intent: "unlink", account: id });

  expect(await readNext(browser, response)).toContain(say("codes:ACCOUNT_NOT_FOUND"));
  expect(await accountsOf(victim.id)).toHaveLength(1);
});

test("16 minutes after the sign-in, linking and unlinking ask for a code first", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const id = await anAccount(user.id, "oidc");
  await age(user.id, 16);

  expect(locationOf(await link(browser))).toBe(CONFIRM);
  expect(locationOf(await browser.submit(ACCOUNT, { intent: "unlink", account: id }))).toBe(
    CONFIRM,
  );
  const api = await browser.api("/api/auth/link-social", { provider: "oidc" });
  expect([api.status, await api.json()]).toMatchObject([403, { code: "SESSION_EXPIRED" }]);

  await browser.submit(CONFIRM, { intent: "resend" });
  const code = await gatehouse.mailbox.codeFor(user.email);
  await browser.submit(CONFIRM, { intent: "verify", code });
  await browser.submit(ACCOUNT, { intent: "unlink", account: id });
  expect(await accountsOf(user.id)).toEqual([]);
});

test("an impersonator cannot link or unlink accounts", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { user: admin } = await anAdmin(gatehouse);
  const id = await anAccount(user.id, "oidc");
  await gatehouse.d1
    .prepare("UPDATE session SET impersonated_by = ? WHERE user_id = ?")
    .bind(admin.id, user.id)
    .run();

  const closed = "This is not available while impersonating";
  expect(await readNext(browser, await link(browser))).toContain(closed);
  const unlinked = await browser.submit(ACCOUNT, { intent: "unlink", account: id });
  expect(await readNext(browser, unlinked)).toContain(closed);
  const api = await browser.api("/api/auth/link-social", { provider: "oidc" });
  expect([api.status, await api.json()]).toMatchObject([
    403,
    { code: "CLOSED_WHILE_IMPERSONATING" },
  ]);
  expect(await accountsOf(user.id)).toHaveLength(1);
});
