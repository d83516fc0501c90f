import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import {
  accessibleError,
  isSignedIn,
  locationOf,
  newBrowser,
  readText,
  toastOf,
  typedIn,
} from "../support/client.ts";
import { openList } from "../support/lists.ts";
import { anAdmin, aSignedInUser, aUser, newEmail, signIn } from "../support/people.ts";
import { changesOf, findPerson, sessionsOf, userPath } from "../support/users.ts";
import { startGatehouse } from "../support/worker.ts";

const LIST = "/manager/users";
const NEW = "/manager/users/new";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { user: reader, browser: user } = await aSignedInUser(gatehouse);

async function countPeople(): Promise<number> {
  const row = await gatehouse.d1.prepare("SELECT count(*) AS n FROM user").first<{ n: number }>();
  return row?.n ?? -1;
}

test.each([
  ["name", "", "Name is required"],
  ["name", "  ", "Name is required"],
  ["name", "1234", "Name is invalid"],
  ["name", "x".repeat(101), "Must be at most 100 characters"],
  ["email", "", "Email is required"],
  ["email", "  ", "Email is required"],
  ["email", "nobody", "Email is invalid"],
  ["email", "a@b.example\r\nBcc: c@d.example", "Email is invalid"],
  ["role", "king", "Invalid option, expected one of admin, support, auditor, user"],
  ["role", "", "Role is required"],
])(
  "the %s %j is refused beside its field, and the input is kept",
  async (field, value, message) => {
    const before = await aUser(gatehouse);
    const count = await countPeople();
    const typed = { name: "Typed Name", email: newEmail("typed"), role: "admin", [field]: value };

    for (const response of [
      await manager.submit(NEW, typed),
      await manager.submit(userPath(before.id, "/update"), { ...typed, version: "1" }),
    ]) {
      expect(response.status).toBe(400);
      const page = await response.text();
      expect(accessibleError(page, field)).toBe(message);
      if (field !== "name") expect(typedIn(page, "name")).toBe("Typed Name");
      if (field !== "email") expect(typedIn(page, "email")).toBe(typed.email);
      if (field !== "role") expect(typedIn(page, "role")).toBe("admin");
    }
    expect(await findPerson(gatehouse, before.id)).toEqual(before);
    expect(await countPeople()).toBe(count);
  },
);

test("deleting a user ends their sessions, and is recorded once", async () => {
  const { user: person, browser } = await aSignedInUser(gatehouse);
  const { id } = person;

  const response = await manager.submit(userPath(id), { intent: "delete" });

  expect(locationOf(response)).toBe(LIST);
  expect(await toastOf(manager, response)).toBe("User deleted.");
  expect(await findPerson(gatehouse, id)).toBeNull();
  expect(await sessionsOf(gatehouse, id)).toEqual([]);
  expect(await isSignedIn(browser)).toBe(false);
  expect(await changesOf(gatehouse, id)).toEqual([
    {
      action: "user.deleted",
      actorId: admin.id,
      details: null,
    },
  ]);
  expect((await manager.get(userPath(id))).status).toBe(404);
  expect((await openList(manager, `${LIST}?searchTerm=${person.email}`)).ids).toEqual([]);

  expect((await manager.submit(userPath(id), { intent: "delete" })).status).toBe(404);
  expect(await changesOf(gatehouse, id)).toHaveLength(1);
});

test("the sole owner of an organization with other members cannot be deleted, with a message", async () => {
  const owner = await aUser(gatehouse);
  const other = await aUser(gatehouse);
  const join = (userId: string, role: string) =>
    gatehouse.d1
      .prepare(
        "INSERT INTO member (id, organization_id, user_id, role, created_at) VALUES (?, 'org', ?, ?, 1)",
      )
      .bind(crypto.randomUUID(), userId, role);
  await gatehouse.d1.batch([
    gatehouse.d1.prepare(
      "INSERT INTO organization (id, name, slug, created_at) VALUES ('org', 'Org', 'org', 1)",
    ),
    join(owner.id, "owner"),
    join(other.id, "member"),
  ]);

  const response = await manager.submit(userPath(owner.id), { intent: "delete" });

  expect(await toastOf(manager, response)).toBe(
    "This user is the only owner of an organization with other members",
  );
  expect(await findPerson(gatehouse, owner.id)).toEqual(owner);
  expect(await changesOf(gatehouse, owner.id)).toEqual([]);
});

test("a manager ends one session or all, each recorded once", async () => {
  const { user: person, browser: first } = await aSignedInUser(gatehouse);
  const second = newBrowser(gatehouse);
  const third = newBrowser(gatehouse);
  await signIn(gatehouse, second, person.email);
  await signIn(gatehouse, third, person.email);
  const page = await (await manager.get(userPath(person.id, "?tab=sessions"))).text();
  expect(page.match(/name="session"/g)).toHaveLength(3);
  expect(readText(page)).toContain("Firefox on Linux");
  const [session = ""] = await sessionsOf(gatehouse, person.id);

  const one = await manager.submit(userPath(person.id), { intent: "revoke", session });
  expect(await toastOf(manager, one)).toBe("Signed out.");
  expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
  expect(await changesOf(gatehouse, person.id)).toMatchObject([
    { action: "session.revoked", actorId: admin.id },
  ]);

  // A session that has already ended, and a session of another user.
  await manager.submit(userPath(person.id), { intent: "revoke", session });
  const [foreign = ""] = await sessionsOf(gatehouse, reader.id);
  await manager.submit(userPath(person.id), { intent: "revoke", session: foreign });
  expect(await isSignedIn(user)).toBe(true);
  expect(await changesOf(gatehouse, person.id)).toHaveLength(1);

  await manager.submit(userPath(person.id), { intent: "revoke-all" });
  expect([await isSignedIn(second), await isSignedIn(third)]).toEqual([false, false]);
  await manager.submit(userPath(person.id), { intent: "revoke-all" });
  expect((await changesOf(gatehouse, person.id)).map(({ action }) => action)).toEqual([
    "session.revoked",
    "session.revoked_all",
  ]);
});

test("after a revoked session the same tab is shown", async () => {
  const { user: person } = await aSignedInUser(gatehouse);
  const [session = ""] = await sessionsOf(gatehouse, person.id);
  const path = userPath(person.id, "?tab=sessions");

  const response = await manager.submit(path, { intent: "revoke", session });

  expect(locationOf(response)).toBe(path);
});

test("an unknown user answers 404, and nothing changes", async () => {
  for (const id of ["nothing", crypto.randomUUID(), "%00", "%D9%85", "'", "x".repeat(500)]) {
    const fields = { name: "New", email: newEmail(), role: "user", version: "1" };
    const statuses = [
      (await manager.get(userPath(id))).status,
      (await manager.get(userPath(id, "/update"))).status,
      (await manager.submit(userPath(id, "/update"), fields)).status,
      (await manager.submit(userPath(id), { intent: "unban" })).status,
    ];
    expect(statuses).toEqual(statuses.map(() => 404));
    const commands: Record<string, string>[] = [
      { intent: "ban", duration: "1" },
      { intent: "unban" },
      { intent: "delete" },
      { intent: "revoke", session: "nothing" },
      { intent: "revoke-all" },
      { intent: "impersonate", impersonationReason: "Because" },
    ];
    for (const command of commands) {
      for (const path of [userPath(id), `${userPath(id)}.data`]) {
        expect((await manager.submit(path, command)).status).toBe(404);
      }
    }
    expect(await auditOf(gatehouse, decodeURIComponent(id))).toEqual([]);
  }
});

test("users get 403 everywhere, and nothing changes", async () => {
  const { user: person, browser } = await aSignedInUser(gatehouse);
  const [session = ""] = await sessionsOf(gatehouse, person.id);
  const before = await findPerson(gatehouse, person.id);
  const fields = { name: "New", email: newEmail(), role: "admin", version: "1" };
  const reads = [
    LIST,
    NEW,
    userPath(person.id),
    userPath(person.id, "/update"),
    userPath(reader.id),
  ];
  const intents: Record<string, string>[] = [
    { intent: "ban", duration: "1" },
    { intent: "unban" },
    { intent: "delete" },
    { intent: "revoke", session },
    { intent: "revoke-all" },
  ];

  const responses = [
    ...(await Promise.all(reads.flatMap((path) => [user.get(path), user.get(`${path}.data`)]))),
    ...(await Promise.all(
      [NEW, userPath(person.id, "/update"), userPath(reader.id, "/update")].flatMap((path) => [
        user.submit(path, fields),
        user.submit(`${path}.data`, fields),
      ]),
    )),
    ...(await Promise.all(
      intents.flatMap((intent) => [
        user.submit(userPath(person.id), intent),
        user.submit(`${userPath(person.id)}.data`, intent),
      ]),
    )),
  ];

  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 403));
  expect(await findPerson(gatehouse, person.id)).toMatchObject({
    role: "user",
    banned: 0,
    version: before?.version,
  });
  expect((await findPerson(gatehouse, reader.id))?.role).toBe("user");
  expect(await isSignedIn(browser)).toBe(true);
  expect(await changesOf(gatehouse, person.id)).toEqual([]);
});

test("no page makes more than three round trips to the database", async () => {
  const { user: person } = await aSignedInUser(gatehouse);

  for (const path of [
    LIST,
    `${LIST}?searchTerm=a&role=user&status=active&sort=seen&pages=2`,
    `${LIST}?searchTerm=amina&from=2020-01-01`,
    NEW,
    userPath(person.id),
    ...["sessions", "emails", "audit"].map((tab) => userPath(person.id, `?tab=${tab}`)),
    userPath(person.id, "/update"),
  ]) {
    for (const response of [
      await manager.get(path),
      await manager.get(path.replace(/\?|$/, ".data$&")),
    ]) {
      expect(response.status).toBe(200);
      // With a term the list first counts how many rows have it, while the navigation is read.
      const most = path.includes("searchTerm") ? 4 : 3;
      expect(Number(response.headers.get("x-d1-calls")), path).toBeLessThanOrEqual(most);
    }
  }
});
