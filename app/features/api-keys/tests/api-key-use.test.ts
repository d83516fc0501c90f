import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../../../../tests/support/client.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { aSignedInUser, aUser, type Person, signIn } from "../../../../tests/support/people.ts";
import { type Answered, aProgram } from "../../../../tests/support/program.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { SERVER_FEATURES } from "../../../features.server.ts";
import { LANGUAGES } from "../../../i18n/languages.ts";
import { DATABASE_RETRY_SECONDS } from "../../../ui/feedback/retry-seconds.ts";
import { API_KEY_LIMITS } from "../limits.ts";
import { ALL_SCOPES, aKey, hashOf, ORGANIZATION_SCOPES } from "./api-keys.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const say = translationsIn("en");

/** Changes columns of a user. */
async function change({ id }: Pick<Person, "id">, columns: string): Promise<void> {
  await gatehouse.d1.prepare(`UPDATE user SET ${columns} WHERE id = ?`).bind(id).run();
}

function codeOf({ status, body }: Answered): string {
  return `${status} ${body.code ?? ""}`.trim();
}

/** Makes a user with a key. Returns what the key may now, as the code of a read and of a change. */
async function aKeyOf(overrides: Partial<Person>, key: Parameters<typeof aKey>[2] = {}) {
  const owner = await aUser(gatehouse, overrides);
  const { secret, row } = await aKey(gatehouse, owner, key);
  const program = aProgram(gatehouse, secret);
  return {
    owner,
    row,
    secret,
    read: async () => codeOf(await program("GET", "/repositories")),
    // No repository has this id, so a change that is allowed answers 404.
    change: async () => codeOf(await program("DELETE", "/repositories/nothing-has-this")),
  };
}

const ALLOWED = "404 REPOSITORY_NOT_FOUND";
const LACKS = "403 API_KEY_LACKS_PERMISSION";
const INVALID = "401 INVALID_API_KEY";
const MISSING = "401 API_KEY_MISSING";

const ALL_NOW = Object.entries(ALL_SCOPES)
  .flatMap(([resource, actions]) => actions.map((action) => `${resource}.${action}`))
  .sort();

test("a key is told for whom it calls, and what it may do now", async () => {
  const admin = await aUser(gatehouse, { role: "admin" });
  const { organization } = await anOrganization(gatehouse, {}, { owner: admin });
  const me = async (key: Parameters<typeof aKey>[2], owner = admin) => {
    const { secret } = await aKey(gatehouse, owner, key);
    return (await aProgram(gatehouse, secret)("GET", "/me")).body;
  };
  const { id, name, email } = admin;
  const own = { id, name, email, organization: null };

  expect(await me({})).toEqual({ ...own, permissions: ALL_NOW });
  expect(await me({ permissions: {} })).toEqual({ ...own, permissions: [] });
  expect(
    await me({ organization_id: organization.id, permissions: ORGANIZATION_SCOPES }),
  ).toMatchObject({
    organization: { id: organization.id, slug: organization.slug, role: "owner" },
    permissions: ["repository.create", "repository.delete", "repository.read"],
  });

  const user = await aUser(gatehouse);
  expect(await me({}, user)).toMatchObject({ permissions: ["repository.read"] });
});

test("a key works in both headers, and never in a URL, a cookie or a body", async () => {
  const { secret } = await aKeyOf({});
  const nobody = aProgram(gatehouse, undefined);
  const outcome = async (path: string, headers: Record<string, string> = {}) =>
    codeOf(await nobody("GET", path, { headers }));

  expect(await outcome("/repositories", { "x-api-key": secret })).toBe("200");
  expect(await outcome("/repositories", { authorization: `bearer ${secret}` })).toBe("200");
  expect(await outcome("/repositories", { authorization: secret })).toBe(MISSING);
  expect(await outcome("/repositories", { cookie: `key=${secret}` })).toBe(MISSING);
  expect(await outcome(`/repositories?key=${secret}&api_key=${secret}`)).toBe(MISSING);
  expect(await outcome("/repositories", { "x-api-key": hashOf(secret) })).toBe(INVALID);
});

test.each(LANGUAGES)(
  "a call without a key is told in %s that none was sent, and how to send one",
  async (language) => {
    const headers = { "accept-language": language };
    const {
      status,
      headers: answered,
      body,
    } = await aProgram(gatehouse, undefined)("GET", "/repositories", { headers });

    expect(status).toBe(401);
    expect(answered.get("www-authenticate")).toBe("Bearer");
    const { title, type } = Object(body);
    expect(title).toBe(translationsIn(language)("codes:API_KEY_MISSING"));
    expect(title).toContain("Authorization");
    expect(title).toContain("Bearer");
    // The URL leads to the code on the documentation's page.
    const { pathname, hash } = new URL(type);
    expect([pathname, hash]).toEqual(["/api/docs", "#API_KEY_MISSING"]);
  },
);

test("a key can only what it was given by name", async () => {
  const key = await aKeyOf({ role: "admin" }, { permissions: { repository: ["read", "update"] } });

  expect([await key.read(), await key.change()]).toEqual(["200", LACKS]);
});

test("the calls of repositories ask for every scope that keys of these tests are given", () => {
  const calls = Object.values(SERVER_FEATURES.api).filter(({ path }) =>
    path.startsWith("/api/v1/repositories"),
  );
  const asked = calls.map(({ act }) => act.permission.join("."));
  const given = Object.entries(ALL_SCOPES).flatMap(([resource, actions]) =>
    actions.map((action) => `${resource}.${action}`),
  );

  expect([...new Set(asked)].sort()).toEqual(given.sort());
});

test("a demoted owner's key can no more than its owner, and does not get back what it has lost", async () => {
  const key = await aKeyOf({ role: "admin" });
  expect([await key.read(), await key.change()]).toEqual(["200", ALLOWED]);

  await change(key.owner, "role = 'user'");
  expect([await key.read(), await key.change()]).toEqual(["200", LACKS]);

  await change(key.owner, "role = 'admin'");
  expect([await key.read(), await key.change()]).toEqual(["200", LACKS]);
});

test("a role among several keeps its scopes, and a key that has lost all of them can nothing", async () => {
  const permissions = { repository: ["read", "delete"], audit: ["read"] };
  const { owner, row } = await aKeyOf({ role: "admin,auditor" }, { permissions });
  const stored = async () =>
    JSON.parse(
      (await gatehouse.d1
        .prepare("SELECT permissions FROM api_key WHERE id = ?")
        .bind(row.id)
        .first<string>("permissions")) ?? "",
    );

  await change(owner, "role = 'auditor,support'");
  expect(await stored()).toEqual({ repository: ["read"], audit: ["read"] });
  await change(owner, "role = 'support'");
  expect(await stored()).toEqual({ repository: ["read"] });

  const { row: auditing, ...auditor } = await aKeyOf(
    { role: "auditor" },
    { permissions: { audit: ["read"] } },
  );
  await change(auditor.owner, "role = 'user'");
  expect(await auditor.read()).toBe(LACKS);
  const left = gatehouse.d1.prepare("SELECT permissions FROM api_key WHERE id = ?");
  expect(await left.bind(auditing.id).first("permissions")).toBe("{}");
});

test.each([
  ["disabled_at", "403 ORGANIZATION_DISABLED"],
  ["deletion_due_at", "403 ORGANIZATION_BEING_DELETED"],
])(
  "the key of an organization with %s reads nothing, and reads again afterwards",
  async (column, code) => {
    const maker = await aUser(gatehouse);
    const { organization } = await anOrganization(gatehouse, {}, { owner: maker });
    const { secret } = await aKey(gatehouse, maker, {
      organization_id: organization.id,
      permissions: ORGANIZATION_SCOPES,
    });
    const program = aProgram(gatehouse, secret);
    const read = async () =>
      [
        codeOf(await program("GET", "/repositories")),
        codeOf(await program("GET", "/repositories/x")),
      ] as const;
    const set = (value: number | null) =>
      gatehouse.d1
        .prepare(`UPDATE organization SET ${column} = ? WHERE id = ?`)
        .bind(value, organization.id)
        .run();
    expect(await read()).toEqual(["200", ALLOWED]);

    await set(Date.now() + 86_400_000);
    expect(await read()).toEqual([code, code]);
    await set(null);
    expect(await read()).toEqual(["200", ALLOWED]);
  },
);

test("a ban ends a key for good, also one for an organization", async () => {
  const key = await aKeyOf({ role: "admin" });
  const { organization } = await anOrganization(gatehouse, {}, { owner: key.owner });
  const shared = await aKey(gatehouse, key.owner, {
    organization_id: organization.id,
    permissions: ORGANIZATION_SCOPES,
  });
  const program = aProgram(gatehouse, shared.secret);
  expect((await program("GET", "/repositories")).status).toBe(200);

  await change(await aUser(gatehouse, { role: "admin" }), "version = 2");
  await change(key.owner, "banned = 1");
  expect([await key.read(), await key.change()]).toEqual([INVALID, INVALID]);
  expect(codeOf(await program("GET", "/repositories"))).toBe(INVALID);
  await change(key.owner, "banned = 0");
  expect(await key.read()).toBe(INVALID);
});

test("a key ends with its end, its revocation, its owner's deletion and an unproven e-mail", async () => {
  const over = await aKeyOf({}, { expires_at: Date.now() - 1 });
  expect(await over.read()).toBe(INVALID);

  const revoked = await aKeyOf({});
  expect(await revoked.read()).toBe("200");
  await gatehouse.d1.prepare("DELETE FROM api_key WHERE id = ?").bind(revoked.row.id).run();
  expect(await revoked.read()).toBe(INVALID);

  const leaving = await aKeyOf({ deletion_due_at: Date.now() + 1_000_000 });
  expect(await leaving.read()).toBe(INVALID);
  await change(leaving.owner, "deletion_due_at = NULL");
  expect(await leaving.read()).toBe("200");
  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(leaving.owner.id).run();
  expect(await leaving.read()).toBe(INVALID);

  const unproven = await aKeyOf({ email_verified: 0 });
  expect(await unproven.read()).toBe(INVALID);
});

test("proving an e-mail removes the keys that were made before", async () => {
  const { user } = await aSignedInUser(gatehouse);
  const { row } = await aKey(gatehouse, user);
  await change(user, "email_verified = 0");

  await signIn(gatehouse, newBrowser(gatehouse), user.email);

  const left = gatehouse.d1.prepare("SELECT 1 FROM api_key WHERE id = ?").bind(row.id);
  expect(await left.first()).toBeNull();
});

test("a user without a name is told so, as in every call", async () => {
  const key = await aKeyOf({ onboarded_at: null });

  expect(await key.read()).toBe("403 NOT_ONBOARDED");
});

test("a key of an organization ends when its maker is no longer an owner, or leaves", async () => {
  for (const end of [
    "UPDATE member SET role = 'admin' WHERE user_id = ?",
    "DELETE FROM member WHERE user_id = ?",
  ]) {
    const maker = await aUser(gatehouse);
    const { organization } = await anOrganization(gatehouse, {}, {});
    await gatehouse.d1
      .prepare(
        "INSERT INTO member (id, organization_id, user_id, role, created_at) VALUES (?, ?, ?, 'owner', 1)",
      )
      .bind(crypto.randomUUID(), organization.id, maker.id)
      .run();
    const { secret } = await aKey(gatehouse, maker, {
      organization_id: organization.id,
      permissions: ORGANIZATION_SCOPES,
    });
    const program = aProgram(gatehouse, secret);
    expect((await program("GET", "/repositories")).status).toBe(200);

    await gatehouse.d1.prepare(end).bind(maker.id).run();
    expect(codeOf(await program("GET", "/repositories"))).toBe(INVALID);
  }
});

test("where managers must use a passkey, only a key that was made with one has a manager's rights", async () => {
  await gatehouse.d1.prepare("UPDATE site_setting SET manager_passkeys_since = 1").run();
  const plain = await aKeyOf({ role: "admin" });
  expect([await plain.read(), await plain.change()]).toEqual(["200", LACKS]);

  const owner = await aUser(gatehouse, { role: "admin" });
  await gatehouse.d1
    .prepare(
      "INSERT INTO passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up, created_at) VALUES ('p1', 'Key', '', ?, 'c1', 0, 'singleDevice', 0, 1)",
    )
    .bind(owner.id)
    .run();
  const { secret } = await aKey(gatehouse, owner, { passkey_id: "p1" });
  const program = aProgram(gatehouse, secret);
  const changes = async () => codeOf(await program("DELETE", "/repositories/nothing-has-this"));
  expect(await changes()).toBe(ALLOWED);

  await gatehouse.d1.prepare("DELETE FROM passkey WHERE id = 'p1'").run();
  expect(await changes()).toBe(LACKS);
  await gatehouse.d1.prepare("UPDATE site_setting SET manager_passkeys_since = NULL").run();
});

test("each key has its own limit, and what is refused says when to come back", async () => {
  const key = await aKeyOf({});
  const other = await aKeyOf({});
  const { max } = API_KEY_LIMITS.calls;
  expect(await key.read()).toBe("200");
  await gatehouse.d1
    .prepare("UPDATE rate_limit SET count = ? WHERE key = ?")
    .bind(max, `api-key|${key.row.id}`)
    .run();

  const refused = await aProgram(gatehouse, key.secret)("GET", "/repositories");
  expect(codeOf(refused)).toBe("429 TOO_MANY_REQUESTS");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect(await other.read()).toBe("200");
});

test("a wrong key writes nothing, and the last use is written once an hour", async () => {
  const key = await aKeyOf({});
  const lastUse = () =>
    gatehouse.d1
      .prepare("SELECT last_request FROM api_key WHERE id = ?")
      .bind(key.row.id)
      .first<number>("last_request");
  const limits = () =>
    gatehouse.d1.prepare("SELECT count(*) AS n FROM rate_limit").first<number>("n");
  const before = await limits();
  await aProgram(gatehouse, `gh_${"1".repeat(64)}`)("GET", "/repositories");
  expect(await limits()).toBe(before);

  expect(await lastUse()).toBeNull();
  await key.read();
  const first = await lastUse();
  expect(first).toBeGreaterThan(Date.now() - 60_000);
  await key.read();
  expect(await lastUse()).toBe(first);
  await gatehouse.d1
    .prepare("UPDATE api_key SET last_request = ? WHERE id = ?")
    .bind(Date.now() - 3_601_000, key.row.id)
    .run();
  await key.read();
  expect(await lastUse()).toBeGreaterThanOrEqual(first ?? 0);
});

test("a call that the database does not answer gets 503, an error code and the time to wait", async () => {
  const { secret } = await aKeyOf({});
  gatehouse.expectErrors("api.failed");

  const silent = await aProgram(gatehouse, secret)("GET", "/repositories", {
    headers: { "x-d1-fault": "1 silent" },
  });

  expect([silent.status, silent.body]).toEqual([
    503,
    expect.objectContaining({
      code: "DATABASE_UNAVAILABLE",
      status: 503,
      title: say("codes:DATABASE_UNAVAILABLE"),
    }),
  ]);
  expect(silent.headers.get("retry-after")).toBe(String(DATABASE_RETRY_SECONDS));
});

test("no key is in a log line, also when the database fails", async () => {
  const key = await aKeyOf({ role: "admin" });
  await key.read();
  gatehouse.expectErrors("api.failed");
  const broken = await aProgram(gatehouse, key.secret)("GET", "/repositories", {
    headers: { "x-d1-fault": "1 before" },
  });
  expect(codeOf(broken)).toBe("503 DATABASE_UNAVAILABLE");

  for (const { text } of gatehouse.logs) {
    expect(text).not.toContain(key.secret);
    expect(text).not.toContain(hashOf(key.secret));
  }
});
