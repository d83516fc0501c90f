import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { createDb } from "../../app/db/db.server.ts";
import { auditEvent, invitation } from "../../app/db/schema/schema.ts";
import { users } from "../../app/features/users/list/user-queries.server.ts";
import { auditOf } from "../support/audit.ts";
import { locationOf, newBrowser } from "../support/client.ts";
import { anOrganization } from "../support/organizations.ts";
import { anAdmin, aSignedInUser, aUser, type Person, signIn } from "../support/people.ts";
import { plansOf } from "../support/plans.ts";
import { startGatehouse } from "../support/worker.ts";

// Tests that unchanged saves are not recorded, and that roles are written in one way.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);

function findPerson(id: string) {
  return gatehouse.d1.prepare("SELECT * FROM user WHERE id = ?").bind(id).first<Person>();
}

async function changesOf(userId: string) {
  const events = await auditOf(gatehouse, userId);
  return events.filter(({ actorId }) => actorId === admin.id).map(({ action }) => action);
}

function change(id: string, fields: Record<string, string>) {
  return manager.submit(`/manager/users/${id}`, fields);
}

const BANS: Record<string, string>[] = [
  { duration: "7", reason: "Spam" },
  { duration: "forever", reason: "Spam" },
  { duration: "forever", reason: "" },
  {
    duration: "date",
    reason: "Spam",
    until: new Date(Date.now() + 9e8).toISOString().slice(0, 10),
  },
];

test.each(BANS)("repeating the ban %j makes one audit record", async (ban) => {
  const { id } = await aUser(gatehouse);
  const fields = { intent: "ban", ...ban };

  await Promise.all(Array.from({ length: 20 }, () => change(id, fields)));
  const first = await findPerson(id);
  const again = await change(id, fields);

  expect(locationOf(again)).toBe(`/manager/users/${id}`);
  expect(await changesOf(id)).toEqual(["user.banned"]);
  expect(await findPerson(id)).toEqual(first);
  expect(first).toMatchObject({ banned: 1, version: 2 });
});

test("another reason or another end of a ban is recorded each time", async () => {
  const { id } = await aUser(gatehouse);

  for (const [reason, duration] of [
    ["Spam", "7"],
    ["Fraud", "7"],
    ["Fraud", "30"],
    ["Fraud", "forever"],
    ["", "forever"],
    ["", "1"],
  ]) {
    await change(id, { intent: "ban", reason: reason ?? "", duration: duration ?? "" });
  }

  expect(await changesOf(id)).toEqual(Array.from({ length: 6 }, () => "user.banned"));
});

test("a user with an expired ban can be banned again", async () => {
  const { id } = await aUser(gatehouse, { banned: 1, ban_reason: "Spam", ban_expires: 1 });

  await change(id, { intent: "ban", reason: "Spam", duration: "1" });

  expect((await findPerson(id))?.ban_expires).toBeGreaterThan(Date.now());
  expect(await changesOf(id)).toEqual(["user.banned"]);
});

test("20 requests at once lift a ban once", async () => {
  const { id } = await aUser(gatehouse, { banned: 1 });

  await Promise.all(Array.from({ length: 20 }, () => change(id, { intent: "unban" })));

  expect(await changesOf(id)).toEqual(["user.unbanned"]);
  expect(await findPerson(id)).toMatchObject({ banned: 0, version: 2 });
});

test("saving a user unchanged keeps the version and the sessions, and records nothing", async () => {
  const { user: person, browser } = await aSignedInUser(gatehouse);
  const { id, name, email, role } = person;

  const response = await manager.submit(`/manager/users/${id}/update`, {
    name,
    email,
    role,
    version: "1",
  });

  expect(locationOf(response)).toBe(`/manager/users/${id}`);
  expect(await changesOf(id)).toEqual([]);
  expect((await findPerson(id))?.version).toBe(1);
  expect((await browser.get("/app")).status).toBe(200);
});

test("the same save sent twice makes one change", async () => {
  const { id, email } = await aUser(gatehouse);
  const save = () =>
    manager.submit(`/manager/users/${id}/update`, {
      name: "Twice",
      email,
      role: "admin",
      version: "1",
    });

  const locations = [locationOf(await save()), locationOf(await save())];

  expect(locations).toEqual([`/manager/users/${id}`, `/manager/users/${id}`]);
  expect(await changesOf(id)).toEqual(["user.updated"]);
});

test("the database takes no role but the known ones, each once, joined by commas alone", async () => {
  const { id } = await aUser(gatehouse);
  const write = (role: string) =>
    gatehouse.d1.prepare("UPDATE user SET role = ? WHERE id = ?").bind(role, id).run();
  const insert = (role: string) =>
    gatehouse.d1
      .prepare(
        "INSERT INTO user (id, name, email, role, created_at, updated_at) VALUES (?1, '', ?1, ?2, 1, 1)",
      )
      .bind(crypto.randomUUID(), role)
      .run();

  const wrong = ["", " admin", "admin ,user", "user, admin", "Admin", "admin,pilot", "admin,admin"];
  for (const role of [...wrong, ",admin", "user,", "admin,,user", "admin\u200b"]) {
    await expect(write(role), role).rejects.toThrow("UNKNOWN_ROLE");
    await expect(insert(role), role).rejects.toThrow("UNKNOWN_ROLE");
  }
  for (const role of ["user", "admin,support,auditor,user", "user,admin"]) await write(role);
});

test("the database takes no role of a member but the known ones", async () => {
  const { organization } = await anOrganization(gatehouse);
  const other = await aUser(gatehouse);
  const write = (role: string) =>
    gatehouse.d1
      .prepare(
        "INSERT INTO member (id, organization_id, user_id, role, created_at) VALUES (?, ?, ?, ?, 1)",
      )
      .bind(crypto.randomUUID(), organization.id, other.id, role)
      .run();

  for (const role of ["", "Owner", "owner,admin", " owner", "king"]) {
    await expect(write(role), role).rejects.toThrow("UNKNOWN_ROLE");
  }
  await write("member");
  const change = gatehouse.d1.prepare("UPDATE member SET role = 'king' WHERE user_id = ?");
  await expect(change.bind(other.id).run()).rejects.toThrow("UNKNOWN_ROLE");
});

test("the rows that reference a user are found by an index, and sorting by e-mail uses one index", async () => {
  const url = new URL("http://localhost/?sort=email&direction=asc");
  const list = await plansOf(gatehouse, (db) => users.load(db, url, { now: new Date() }));
  const id = "someone";
  const others = await plansOf(gatehouse, (db) =>
    db.batch([
      db.select({ id: invitation.id }).from(invitation).where(eq(invitation.inviterId, id)),
      db.select({ id: auditEvent.id }).from(auditEvent).where(eq(auditEvent.impersonatorId, id)),
    ]),
  );
  const { results } = await gatehouse.d1
    .prepare("SELECT name FROM sqlite_master WHERE type = 'index'")
    .all<{ name: string }>();
  const names = results.map(({ name }) => name);

  expect(list).toContain("SCAN user USING COVERING INDEX user_by_email");
  expect(others.join("\n")).toMatch(/SEARCH invitation USING .*invitation_by_inviter/);
  expect(others.join("\n")).toMatch(/SEARCH audit_event USING .*audit_event_impersonator \(/);
  expect(names).not.toContain("audit_event_impersonator_id");
});

test("users who never signed in are found by an index in each order", async () => {
  const person = await aUser(gatehouse, { name: "Never Here" });
  await signIn(gatehouse, newBrowser(gatehouse), admin.email);
  for (const sort of ["created", "name", "email", "seen"]) {
    const search = new URLSearchParams({ status: "never-signed-in", sort, direction: "desc" });
    const plans = await plansOf(gatehouse, (db) =>
      users.load(db, new URL(`http://localhost/?${search}`), { now: new Date() }),
    );
    expect(plans.join("\n")).toMatch(/USING (COVERING )?INDEX user_never_seen/);
    const { rows } = await users.load(
      createDb(gatehouse.d1),
      new URL(`http://localhost/?${search}&searchTerm=never+here`),
      { now: new Date() },
    );
    expect(rows.map(({ id }) => id)).toEqual([person.id]);
  }
});

test("users whose ban has ended are found among those of their status by its index, also with a range of days", async () => {
  const person = await aUser(gatehouse, {
    onboarded_at: null,
    banned: 1,
    ban_expires: 1,
    created_at: Date.UTC(2026, 0, 15),
  });
  const url = new URL(
    "http://localhost/?status=not-onboarded&from=2026-01-01&to=2026-01-31&sort=name",
  );
  const plans = await plansOf(gatehouse, (db) => users.load(db, url, { now: new Date() }));
  const { rows } = await users.load(createDb(gatehouse.d1), url, { now: new Date() });

  expect(rows.map(({ id }) => id)).toEqual([person.id]);
  expect(plans.join("\n")).toMatch(/USING (COVERING )?INDEX user_not_onboarded/);
  expect(plans.filter((line) => line.includes("INDEX user_by_created "))).toEqual([]);
});
