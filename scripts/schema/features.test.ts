import type { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { FeatureFacts } from "../../app/feature.ts";
import { FEATURES } from "../../app/features.ts";
import { listMigrations, openMigratedSqlite } from "./print.ts";

const NOW = 1_800_000_000_000;
const FACTS: readonly FeatureFacts[] = FEATURES;

/** The features that have migrations, in the words of the files' names. */
const OWNERS = [...new Set(listMigrations().map(ownerOf))].filter((owner) => owner !== "core");

test("each migration's name says whose it is", () => {
  const wrong = listMigrations().filter((name) => !/^\d{4}_(core_\w+|[a-z_]+)\.sql$/.test(name));
  expect(wrong).toEqual([]);
  expect(listMigrations().map(ownerOf)).toContain("core");
});

test.each(OWNERS)("the database works without the migrations of %s", (owner) => {
  const without = [owner, ...FACTS.filter(needs(owner)).map(({ name }) => wordsOf(name))];
  const kept = listMigrations().filter((name) => !without.includes(ownerOf(name)));
  expectWorking(openMigratedSqlite(kept));
});

test("the database works with the migrations of the core alone", () => {
  const core = listMigrations().filter((name) => ownerOf(name) === "core");
  expectWorking(openMigratedSqlite(core));
});

test("the database works with all migrations", () => {
  expectWorking(openMigratedSqlite());
});

/** Returns whose a migration is: "webhooks" for `0012_webhooks.sql`, "core" for `0001_core_people.sql`. */
function ownerOf(migration: string): string {
  const owner = migration.slice("0000_".length, -".sql".length);
  return owner.startsWith("core_") ? "core" : owner;
}

function wordsOf(feature: string): string {
  return feature.replaceAll("-", "_");
}

/** Returns whether a feature cannot be without this one, itself or by others that it needs. */
function needs(owner: string): (facts: FeatureFacts) => boolean {
  return (facts) =>
    (facts.needs ?? []).some(
      (name) =>
        wordsOf(name) === owner ||
        FACTS.some((other) => other.name === name && needs(owner)(other)),
    );
}

function expectWorking(sqlite: DatabaseSync) {
  expect(brokenStatements(sqlite)).toEqual([]);
  expectEvents(sqlite);
}

/**
 * Returns the statements that refer to something that is not there. SQLite looks for the tables of triggers, views and
 * foreign keys when it prepares a statement, with all triggers that it could start, and not when they are made.
 */
function brokenStatements(sqlite: DatabaseSync): string[] {
  const tables = sqlite
    .prepare(
      `SELECT name, type FROM pragma_table_list
       WHERE schema = 'main' AND type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all();
  const statements = tables.flatMap(({ name, type }) =>
    type === "view" ? readsOf(sqlite, String(name)) : changesOf(sqlite, String(name)),
  );
  return statements.filter((statement) => {
    try {
      sqlite.prepare(statement);
      return false;
    } catch {
      return true;
    }
  });
}

function readsOf(sqlite: DatabaseSync, view: string): string[] {
  const inserts = sqlite
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?")
    .all(view)
    .map(() => `INSERT INTO ${view} DEFAULT VALUES`);
  return [`SELECT * FROM ${view}`, ...inserts];
}

function changesOf(sqlite: DatabaseSync, table: string): string[] {
  const columns = sqlite.prepare("SELECT name FROM pragma_table_info(?)").all(table);
  const same = columns.map(({ name }) => `"${name}" = "${name}"`).join(", ");
  return [
    `INSERT INTO "${table}" DEFAULT VALUES`,
    `UPDATE "${table}" SET ${same}`,
    `DELETE FROM "${table}"`,
  ];
}

/** Lets people sign in, work in an organization and leave, and compares what the core's triggers write. */
function expectEvents(sqlite: DatabaseSync) {
  const run = (statement: string) => sqlite.exec(statement);
  const read = (query: string) => Object.values(sqlite.prepare(query).get() ?? {});
  const addUser = (id: string, role: string, isProved = 1) =>
    run(
      `INSERT INTO user (id, name, email, email_verified, role, created_at, updated_at)
       VALUES ('${id}', '${id}', '${id}@example.com', ${isProved}, '${role}', ${NOW}, ${NOW})`,
    );
  const addSession = (id: string, userId: string) =>
    run(
      `INSERT INTO session (id, token, user_id, active_organization_id, expires_at, created_at, updated_at)
       VALUES ('${id}', '${id}', '${userId}', 'works', ${NOW}, ${NOW}, ${NOW})`,
    );
  addUser("amina", "admin");
  addUser("ben", "user");
  addUser("chi", "user", 0);
  expect(() => addSession("early", "chi")).toThrow("EMAIL_NOT_VERIFIED");
  run("UPDATE user SET email_verified = 1 WHERE id = 'chi'");
  run(
    `INSERT INTO organization (id, name, slug, created_at) VALUES ('works', 'Works', 'works', ${NOW});
     INSERT INTO member (id, organization_id, user_id, role, created_at)
     VALUES ('m1', 'works', 'amina', 'owner', ${NOW}), ('m2', 'works', 'ben', 'owner', ${NOW}), ('m3', 'works', 'chi', 'member', ${NOW});
     INSERT INTO invitation (id, organization_id, email, expires_at, inviter_id, created_at)
     VALUES ('i1', 'works', 'dina@example.com', ${NOW}, 'amina', ${NOW});
     INSERT INTO audit_event (id, action, target_type, target_id, created_at)
     VALUES ('e1', 'repository.updated', 'repository', 'r1', ${NOW}), ('e2', 'organization.updated', 'organization', 'works', ${NOW});
     INSERT INTO organization_event (organization_id, event_id, action, created_at)
     VALUES ('works', 'e1', 'repository.updated', ${NOW})`,
  );
  for (const [id, userId] of Object.entries({ s1: "amina", s2: "ben", s3: "chi" })) {
    addSession(id, userId);
  }
  expect(read("SELECT member_count, last_activity_at FROM organization")).toEqual([3, NOW]);

  run("UPDATE member SET role = 'member' WHERE id = 'm2'");
  expect(() => run("UPDATE member SET role = 'member' WHERE id = 'm1'")).toThrow(
    "WITHOUT_AN_OWNER",
  );
  expect(() => run("UPDATE user SET role = 'user' WHERE id = 'amina'")).toThrow("LAST_ADMIN");
  run("UPDATE user SET email = 'benjamin@example.com', role = 'support' WHERE id = 'ben'");
  run("UPDATE user SET banned = 1 WHERE id = 'ben'");
  run("UPDATE session SET expires_at = expires_at + 1, last_seen_at = expires_at");
  run("DELETE FROM member WHERE id = 'm3'");
  expect(read("SELECT group_concat(id), count(active_organization_id) FROM session")).toEqual([
    "s1,s3",
    1,
  ]);

  run("DELETE FROM session WHERE id = 's3'");
  run("DELETE FROM user WHERE id IN ('ben', 'chi')");
  expect(read("SELECT member_count FROM organization")).toEqual([1]);
  run("DELETE FROM organization");
  expect(read("SELECT group_concat(id) FROM user")).toEqual(["amina"]);
  expect(read("SELECT sum(value) FROM counter WHERE name IN ('user', 'organization')")).toEqual([
    1,
  ]);
  expect(read("SELECT count(*) FROM audit_event WHERE action LIKE 'user.%'")).toEqual([6]);
}
