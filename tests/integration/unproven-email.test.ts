import { afterAll, expect, test } from "vitest";
import { addPasskey, newAuthenticator, signInWithPasskey } from "../support/authenticator.ts";
import { locationOf, newBrowser, readText } from "../support/client.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import { anAdmin, aSignedInUser, aUser, newEmail, signIn } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { OF_EMAIL, unprovenOf } from "../support/unproven-email.ts";
import { startGatehouse } from "../support/worker.ts";

const HEAD = newEmail("head");
const say = translationsIn("en");
const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({
  vars: { ...provider.vars, ADMIN_EMAILS: HEAD },
});
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
const { signInUnproven, userOf, count, accountsOf, unprove } = unprovenOf(gatehouse, provider);

test.each([newEmail("victim"), HEAD])(
  "a provider's unverified e-mail %s gives no access, before and after its owner signs in",
  async (email) => {
    const attacker = newBrowser(gatehouse);

    await signInUnproven(attacker, email);
    expect(await userOf(attacker)).toBeUndefined();
    expect(await count("user WHERE email = ?", email)).toBe(0);
    const key = newAuthenticator({ origin: gatehouse.origin });
    expect((await attacker.api("/api/auth/passkey/verify-registration")).status).toBe(400);
    expect((await attacker.get("/api/auth/passkey/generate-register-options")).status).toBe(401);

    await gatehouse.mailbox.codeFor(email);
    const owner = newBrowser(gatehouse);
    await signIn(gatehouse, owner, email);
    expect(await userOf(attacker)).toBeUndefined();
    expect(await count(`passkey WHERE ${OF_EMAIL}`, email)).toBe(0);
    expect(await accountsOf(email)).toBe(0);
    expect((await signInWithPasskey(attacker, key)).status).toBe(401);
    expect((await attacker.get("/manager/users")).status).toBe(302);
  },
);

test("proving an e-mail removes the row's passkeys, and asks the owner for a name", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { name: "Mallory" });
  const key = newAuthenticator({ origin: gatehouse.origin });
  expect((await addPasskey(browser, key)).status).toBe(200);
  await unprove(user.id);

  const owner = newBrowser(gatehouse);
  await signIn(gatehouse, owner, user.email);

  expect(await count("passkey WHERE user_id = ?", user.id)).toBe(0);
  expect(locationOf(await owner.get("/app"))).toBe("/onboarding?redirect=%2Fapp");
  expect((await signInWithPasskey(newBrowser(gatehouse), key)).status).toBe(401);
});

test("a manager's change of an unproven e-mail keeps the new name and removes the passkeys", async () => {
  const { browser: manager } = await anAdmin(gatehouse);
  const { user, browser } = await aSignedInUser(gatehouse);
  await addPasskey(browser, newAuthenticator({ origin: gatehouse.origin }));
  await unprove(user.id);
  const email = newEmail("moved");

  const response = await manager.submit(`/manager/users/${user.id}/update`, {
    name: "Given Name",
    email,
    role: "user",
    version: "1",
  });

  expect(response.status).toBe(302);
  const row = await gatehouse.d1.prepare("SELECT * FROM user WHERE id = ?").bind(user.id).first();
  expect(row).toMatchObject({ name: "Given Name", email, email_verified: 1, onboarded_at: null });
  expect(await count("passkey WHERE user_id = ?", user.id)).toBe(0);
});

test("a user with an unproven e-mail can add neither a passkey nor an account", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await unprove(user.id);
  const refused = [403, { code: "EMAIL_NOT_VERIFIED" }];

  const options = await browser.get("/api/auth/passkey/generate-register-options");
  expect([options.status, await options.json()]).toMatchObject(refused);
  const response = newAuthenticator({ origin: gatehouse.origin }).create("challenge");
  const added = await browser.api("/api/auth/passkey/verify-registration", { response });
  expect([added.status, await added.json()]).toMatchObject(refused);
  const linked = await browser.api("/api/auth/link-social", { provider: "oidc" });
  expect([linked.status, await linked.json()]).toMatchObject(refused);
  const form = await browser.submit("/app/account", { intent: "link", provider: "oidc" });
  expect(readText(await (await browser.follow(form)).text())).toContain(
    say("codes:EMAIL_NOT_VERIFIED"),
  );
});

test("the database refuses a session, an account and a passkey of an unproven user, but not an impersonation", async () => {
  const { id } = await aUser(gatehouse, { email_verified: 0 });
  const insert = (sql: string) => gatehouse.d1.prepare(sql).bind(crypto.randomUUID(), id).run();
  const session = (by: string) =>
    insert(
      `INSERT INTO session (id, token, user_id, expires_at, impersonated_by, created_at, updated_at)
       VALUES (?1, ?1, ?2, 0, ${by}, 0, 0)`,
    );

  await expect(session("NULL")).rejects.toThrow("EMAIL_NOT_VERIFIED");
  await expect(session("'admin'")).resolves.toBeDefined();
  await expect(
    insert(
      `INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at)
       VALUES (?1, ?1, 'oidc', ?2, 0, 0)`,
    ),
  ).rejects.toThrow("EMAIL_NOT_VERIFIED");
  await expect(
    insert(
      `INSERT INTO passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up)
       VALUES (?1, 'key', ?2, ?1, 0, 'singleDevice', 0)`,
    ),
  ).rejects.toThrow("EMAIL_NOT_VERIFIED");
});
