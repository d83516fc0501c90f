import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { type Browser, isSignedIn, locationOf } from "../../../../tests/support/client.ts";
import { changeBefore } from "../../../../tests/support/faults.ts";
import { aMember, anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser, aUser, type Person } from "../../../../tests/support/people.ts";
import { aProgram } from "../../../../tests/support/program.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { userPath } from "../../../../tests/support/users.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { MAX_API_KEYS } from "../api-key.ts";
import { aKey, hashOf, type KeyRow, ORGANIZATION_SCOPES } from "./api-keys.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const say = translationsIn("en");

const OWN = "/app/account/keys";
const NEW = { intent: "create-key", name: "Deploy", scope: "repository.read", days: "90" };
const DAY = 86_400_000;

async function pageOf(response: Response | Promise<Response>) {
  return readPage(await (await response).text());
}

/** Makes a key on a screen. Returns the key that the answer shows. */
async function make(browser: Browser, path = OWN, fields: Record<string, string> = NEW) {
  const page = await pageOf(browser.submit(`${path}?state=new`, fields));
  return { page, secret: page.field("secret")?.value };
}

async function keysOf({ id }: Pick<Person, "id">): Promise<KeyRow[]> {
  const { results } = await gatehouse.d1
    .prepare("SELECT * FROM api_key WHERE user_id = ? ORDER BY created_at")
    .bind(id)
    .all<KeyRow>();
  return results;
}

async function makeStale({ id }: Pick<Person, "id">) {
  await gatehouse.d1
    .prepare("UPDATE session SET created_at = ?, authenticated_at = NULL WHERE user_id = ?")
    .bind(Date.now() - 16 * 60_000, id)
    .run();
}

async function statusOf(secret: string | undefined): Promise<number> {
  return (await aProgram(gatehouse, secret)("GET", "/repositories")).status;
}

test("a user makes a key, sees it once, and only its hash is stored", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  expect((await pageOf(browser.get("/app/account"))).linkTo(say("account:apiKeys.manage"))).toBe(
    OWN,
  );
  const empty = await pageOf(browser.get(OWN));
  expect(empty.text()).toContain(say("api-keys:empty"));
  expect(empty.linkTo(say("api-keys:new"))).toBe(`${OWN}?state=new`);

  const { secret } = await make(browser);
  expect(secret).toMatch(/^gh_[\da-f]{64}$/);
  expect(await statusOf(secret)).toBe(200);
  const [row] = await keysOf(user);
  expect(row).toMatchObject({
    name: "Deploy",
    organization_id: null,
    passkey_id: null,
    start: secret?.slice(0, 8),
    key: hashOf(secret ?? ""),
    permissions: '{"repository":["read"]}',
  });
  expect(row?.expires_at).toBeGreaterThan(Date.now() + 89 * DAY);
  expect(row?.expires_at).toBeLessThan(Date.now() + 91 * DAY);

  const list = await (await browser.get(OWN)).text();
  expect(list).toContain("Deploy");
  expect(list).not.toContain(secret);
  expect(await auditOf(gatehouse, user.id)).toContainEqual({
    action: "api_key.created",
    actorId: user.id,
    details: {
      name: "Deploy",
      permissions: "repository.read",
      until: new Date(row?.expires_at ?? 0).toISOString(),
    },
  });
  const mails = await gatehouse.d1
    .prepare(
      "SELECT count(*) AS n FROM mail_outbox WHERE recipient = ? AND kind = 'api-key-created'",
    )
    .bind(user.email)
    .first("n");
  expect(mails).toBe(1);
  for (const { text } of gatehouse.logs) expect(text).not.toContain(secret);
});

test("a new key needs a name, a permission that its owner has, and an end within a year", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const alerts = async (fields: Record<string, string>) =>
    (await make(browser, OWN, { ...NEW, ...fields })).page.alerts();

  expect(await alerts({ name: " " })).toEqual(["Name is required"]);
  expect(await alerts({ scope: "" })).toEqual([say("api-keys:scopeRequired")]);
  const wrong: Record<string, string>[] = [
    { scope: "repository.delete" },
    { scope: "user.ban" },
    { days: "9999" },
  ];
  for (const fields of wrong) {
    expect(await alerts(fields)).not.toEqual([]);
  }
  expect(await keysOf(user)).toEqual([]);
});

test("making and replacing a key asks for a fresh proof, and during an impersonation nothing is shown", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { row, secret } = await aKey(gatehouse, user, { permissions: { repository: ["read"] } });
  await makeStale(user);

  for (const response of [
    await browser.submit(OWN, NEW),
    await browser.submit(OWN, { intent: "rotate-key", key: row.id }),
  ]) {
    expect(locationOf(response)).toMatch(/^\/app\/account\/confirm\?next=/);
  }
  expect(await keysOf(user)).toEqual([row]);
  expect(await statusOf(secret)).toBe(200);
  // Ending a key asks for none.
  expect(locationOf(await browser.submit(OWN, { intent: "revoke-key", key: row.id }))).toBe(OWN);
  expect(await statusOf(secret)).toBe(401);
});

test("a user who has a passkey makes a key only in a session that it has proven", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await gatehouse.d1
    .prepare(
      "INSERT INTO passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up, created_at) VALUES ('own', 'Key', '', ?, 'own', 0, 'singleDevice', 0, 1)",
    )
    .bind(user.id)
    .run();
  const refused = await browser.submit(OWN, NEW);
  expect(locationOf(refused)).toMatch(/^\/app\/account\/confirm\?.*passkey/);

  await gatehouse.d1
    .prepare(
      "UPDATE session SET passkey_proved_at = ?, passkey_proved_by = 'own' WHERE user_id = ?",
    )
    .bind(Date.now(), user.id)
    .run();
  expect((await make(browser)).secret).toMatch(/^gh_/);
  expect(await keysOf(user)).toMatchObject([{ passkey_id: "own" }]);
});

test("a key is replaced by a new one, the old one ends at once, and only its maker can do it", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { secret: old } = await make(browser);
  const [before] = await keysOf(user);
  const rotation = { intent: "rotate-key", key: before?.id ?? "" };

  const page = await pageOf(browser.submit(OWN, rotation));
  const secret = page.field("secret")?.value;
  expect(secret).toMatch(/^gh_/);
  expect(secret).not.toBe(old);
  expect([await statusOf(old), await statusOf(secret)]).toEqual([401, 200]);
  const [after] = await keysOf(user);
  expect(after).toMatchObject({ id: before?.id, name: "Deploy", permissions: before?.permissions });
  expect((after?.expires_at ?? 0) - (after?.created_at ?? 0)).toBe(90 * DAY);

  const { browser: other } = await aSignedInUser(gatehouse);
  for (const intent of ["rotate-key", "revoke-key"]) {
    expect((await other.submit(OWN, { intent, key: before?.id ?? "" })).status).toBe(404);
  }
  expect(await statusOf(secret)).toBe(200);
  expect((await auditOf(gatehouse, user.id)).map(({ action }) => action)).toContain(
    "api_key.rotated",
  );
});

test("an e-mail that is no longer proven when a key is replaced is told, and the key stays", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { row } = await aKey(gatehouse, user);
  const headers = changeBefore(3, `UPDATE user SET email_verified = 0 WHERE id = '${user.id}'`);

  const page = await pageOf(
    browser.submit(OWN, { intent: "rotate-key", key: row.id }, { headers }),
  );

  expect(page.alerts()).toEqual([say("codes:EMAIL_NOT_VERIFIED")]);
  expect(await keysOf(user)).toMatchObject([{ key: row.key }]);
});

test("a ban while a key is being made leaves no key", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const headers = changeBefore(2, `UPDATE user SET banned = 1 WHERE id = '${user.id}'`);

  await browser.submit(`${OWN}?state=new`, NEW, { headers });

  expect(await isSignedIn(browser)).toBe(false);
  expect(await keysOf(user)).toEqual([]);
});

test("a user has so many keys at most, and makes so many in a day, also at once", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  for (let index = 0; index < MAX_API_KEYS - 1; index++) await aKey(gatehouse, user);
  const { row: ended } = await aKey(gatehouse, user, { expires_at: 1 });

  await Promise.all(Array.from({ length: 4 }, () => browser.submit(OWN, NEW)));
  const open = (await keysOf(user)).filter(({ id }) => id !== ended.id);
  expect(open).toHaveLength(MAX_API_KEYS);
  expect((await make(browser)).page.alerts()).toEqual([say("codes:API_KEY_LIMIT_REACHED")]);

  await gatehouse.d1.prepare("DELETE FROM api_key WHERE user_id = ?").bind(user.id).run();
  await gatehouse.d1
    .prepare("UPDATE rate_limit SET count = 20 WHERE key = ?")
    .bind(`api-key-made|${user.id}`)
    .run();
  expect((await make(browser)).page.alerts()).toEqual([say("codes:TOO_MANY_REQUESTS")]);
  expect(await keysOf(user)).toEqual([]);
});

test("a revoked key is listed apart for a week, counts no longer, and does not come back", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  for (let index = 1; index < MAX_API_KEYS; index++) await aKey(gatehouse, user);
  const { row, secret } = await aKey(gatehouse, user, { name: "Leaked" });
  const { row: ended } = await aKey(gatehouse, user, { name: "Ended", expires_at: 5 });
  const now = Date.now();

  for (const key of [row.id, ended.id]) {
    const answer = await browser.submit(OWN, { intent: "revoke-key", key });
    expect(locationOf(answer)).toBe(OWN);
  }

  const rows = await keysOf(user);
  const [revoked, before] = [row, ended].map(({ id }) => rows.find((one) => one.id === id));
  expect(revoked).toMatchObject({ revoked_by: user.id, expires_at: revoked?.revoked_at });
  expect(revoked?.revoked_at).toBeGreaterThanOrEqual(now - 1000);
  expect(before?.expires_at).toBe(5);
  for (const path of [OWN, `${OWN}/${row.id}`]) {
    const text = (await pageOf(browser.get(path))).text();
    expect(text).toContain("Leaked");
    expect(text).toContain(say("api-keys:revokedBy", { name: user.name }));
  }
  expect((await pageOf(browser.get(OWN))).text()).toContain(say("api-keys:revokedKeys"));
  expect(await statusOf(secret)).toBe(401);
  for (const intent of ["rotate-key", "revoke-key"]) {
    expect((await browser.submit(OWN, { intent, key: row.id })).status).toBe(404);
  }
  expect((await make(browser)).secret).toMatch(/^gh_/);

  const age = (days: number) =>
    gatehouse.d1
      .prepare("UPDATE api_key SET revoked_at = ? WHERE id = ?")
      .bind(Date.now() - days * DAY, row.id)
      .run();
  await age(6);
  await gatehouse.runHourly();
  expect((await keysOf(user)).map(({ id }) => id)).toContain(row.id);
  await age(8);
  await gatehouse.runHourly();
  expect((await keysOf(user)).map(({ id }) => id)).not.toContain(row.id);
});

test("a manager who revokes a key is named to managers and to nobody else", async () => {
  const { user: admin, browser: manager } = await anAdmin(gatehouse);
  const { user: owner, browser } = await aSignedInUser(gatehouse);
  const { user: second, browser: ofSecond } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner });
  const seat = { organization_id: organization.id, user_id: second.id, role: "owner" } as const;
  await aMember(gatehouse, seat);
  const shared = { organization_id: organization.id, permissions: ORGANIZATION_SCOPES };
  const { row: own } = await aKey(gatehouse, owner);
  const { row: ofManager } = await aKey(gatehouse, owner, shared);
  const { row: ofOwner } = await aKey(gatehouse, owner, shared);
  const list = `/app/organizations/${organization.slug}/keys`;
  await manager.submit(`${userPath(owner.id)}/keys`, { key: own.id });
  await manager.submit(`${userPath(owner.id)}/keys`, { key: ofManager.id });
  await ofSecond.submit(list, { intent: "revoke-key", key: ofOwner.id });

  for (const path of [`${OWN}/${own.id}`, `${list}/${ofManager.id}`]) {
    const html = await (await browser.get(path)).text();
    expect(readPage(html).text()).toContain(say("api-keys:revokedByManager"));
    for (const hidden of [admin.name, admin.id]) expect(html).not.toContain(hidden);
  }
  const byOwner = (await pageOf(browser.get(`${list}/${ofOwner.id}`))).text();
  expect(byOwner).toContain(say("api-keys:revokedBy", { name: second.name }));
  const page = await pageOf(manager.get(userPath(owner.id, "?tab=sessions")));
  expect(page.text()).toContain(say("api-keys:revokedBy", { name: admin.name }));
});

test("a key that has ended stays in the list for a month", async () => {
  const { user } = await aSignedInUser(gatehouse);
  const endedFor = (days: number) =>
    aKey(gatehouse, user, { name: `${days}`, expires_at: Date.now() - days * DAY });
  await endedFor(29);
  await endedFor(31);

  await gatehouse.runHourly();

  expect((await keysOf(user)).map(({ name }) => name)).toEqual(["29"]);
});

test("an organization's owners make and end its keys, and nobody else sees them", async () => {
  const { user: owner, browser } = await aSignedInUser(gatehouse);
  const { user: second, browser: ofSecond } = await aSignedInUser(gatehouse);
  const { user: admin, browser: ofMember } = await aSignedInUser(gatehouse);
  const { browser: stranger } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner, admins: [admin] });
  await gatehouse.d1
    .prepare(
      "INSERT INTO member (id, organization_id, user_id, role, created_at) VALUES (?, ?, ?, 'owner', 1)",
    )
    .bind(crypto.randomUUID(), organization.id, second.id)
    .run();
  const path = `/app/organizations/${organization.slug}/keys`;
  const settings = await pageOf(browser.get(`/app/organizations/${organization.slug}/settings`));
  expect(settings.linkTo(say("organizations:settings.manageApiKeys"))).toBe(path);

  const { secret } = await make(browser, path, { ...NEW, scope: "repository.read" });
  expect(await statusOf(secret)).toBe(200);
  expect(await keysOf(owner)).toMatchObject([
    { organization_id: organization.id, permissions: '{"repository":["read"]}' },
  ]);
  expect(await auditOf(gatehouse, organization.id)).toContainEqual(
    expect.objectContaining({ action: "api_key.created", actorId: owner.id }),
  );
  // It is no key of the owner's account.
  expect((await pageOf(browser.get(OWN))).text()).toContain(say("api-keys:empty"));

  for (const [visitor, status] of [
    [ofMember, 403],
    [stranger, 404],
  ] as const) {
    expect((await visitor.get(path)).status).toBe(status);
    expect((await visitor.submit(path, NEW)).status).toBe(status);
  }
  // The second owner ends it, but never gets a key in the first one's name.
  const [row] = await keysOf(owner);
  expect((await ofSecond.submit(path, { intent: "rotate-key", key: row?.id ?? "" })).status).toBe(
    404,
  );
  expect((await pageOf(ofSecond.get(path))).text()).toContain(`By ${owner.name}`);
  await ofSecond.submit(path, { intent: "revoke-key", key: row?.id ?? "" });
  expect(await statusOf(secret)).toBe(401);
});

test("managers see the keys of a user and end them", async () => {
  const { browser: manager } = await anAdmin(gatehouse);
  const person = await aUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: person });
  const { secret, row } = await aKey(gatehouse, person, { name: "Night job" });
  await aKey(gatehouse, person, {
    name: "Shared job",
    organization_id: organization.id,
    permissions: ORGANIZATION_SCOPES,
  });
  const path = userPath(person.id, "?tab=sessions");
  const keys = `${userPath(person.id)}/keys`;
  const text = (await pageOf(manager.get(path))).text();
  expect(text).toContain("Night job");
  expect(text).toContain("Shared job");

  await manager.submit(keys, { key: row.id });
  expect(await statusOf(secret)).toBe(401);
  expect(await auditOf(gatehouse, person.id)).toContainEqual(
    expect.objectContaining({ action: "api_key.revoked", details: { name: "Night job" } }),
  );
  expect((await manager.submit(keys, { key: row.id })).status).toBe(404);
});

test("a manager's change of the e-mail, and removing the sign-in methods, end all keys", async () => {
  const { browser: manager } = await anAdmin(gatehouse);
  const moved = await aUser(gatehouse);
  const kept = await aKey(gatehouse, moved);
  const update = { name: moved.name, role: "user", version: "1" };
  await manager.submit(userPath(moved.id, "/update"), {
    ...update,
    email: moved.email,
    name: "Other Name",
  });
  expect(await statusOf(kept.secret)).toBe(200);
  await manager.submit(userPath(moved.id, "/update"), {
    ...update,
    name: "Other Name",
    version: "2",
    email: `moved-${moved.email}`,
  });
  expect(await statusOf(kept.secret)).toBe(401);

  const person = await aUser(gatehouse);
  const { secret } = await aKey(gatehouse, person);
  await gatehouse.d1
    .prepare(
      "INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at) VALUES ('a', 'a', 'github', ?, 1, 1)",
    )
    .bind(person.id)
    .run();
  await manager.submit(userPath(person.id), { intent: "remove-methods" });
  expect(await statusOf(secret)).toBe(401);
});

test("the account's data has its keys, without what opens anything", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { secret, row } = await aKey(gatehouse, user, { name: "Backup" });

  const text = await (await browser.get("/app/account/data")).text();
  expect(JSON.parse(text).apiKeys).toMatchObject([{ name: "Backup", start: row.start }]);
  expect(text).not.toContain(row.key);
  expect(text).not.toContain(secret);
});

test("what a key changes says nothing of the key on screens for others", async () => {
  const admin = await aUser(gatehouse, { role: "admin" });
  const { secret, row } = await aKey(gatehouse, admin);
  const { browser: manager } = await anAdmin(gatehouse);
  const created = await aProgram(gatehouse, secret)("POST", "/repositories", {
    body: { name: "By a key", link: "https://git.example/x" },
  });

  const html = await (await manager.get(`/manager/repositories/${created.body.id}`)).text();
  for (const hidden of [secret, row.key, row.id]) expect(html).not.toContain(hidden);
});
