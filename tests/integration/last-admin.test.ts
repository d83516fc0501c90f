import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { accessibleError, toastOf } from "../support/client.ts";
import { anAdmin } from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { userPath } from "../support/users.ts";
import { startGatehouse } from "../support/worker.ts";

/** Two admins on a product without others. */
const duel = await startGatehouse();
afterAll(() => duel[Symbol.asyncDispose]());
const one = await anAdmin(duel);
const other = await anAdmin(duel);
const { results: sessions } = await duel.d1.prepare("SELECT * FROM session").all();

/** Restores both admins and their sessions. */
async function reinstate(
  changes = "role = 'admin', banned = 0, ban_expires = NULL",
): Promise<void> {
  const insert = (table: "user" | "session", row: object, otherwise: string) =>
    duel.d1
      .prepare(
        `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row)
          .map(() => "?")
          .join(", ")}) ON CONFLICT (id) DO ${otherwise}`,
      )
      .bind(...Object.values(row));
  await duel.d1.batch([
    // The database generates `kind`.
    ...[one, other].map(({ user: { kind: _, ...row } }) =>
      insert("user", row, `UPDATE SET ${changes}, version = 1`),
    ),
    ...sessions.map((row) => insert("session", row, "NOTHING")),
  ]);
}

type Admin = Awaited<ReturnType<typeof anAdmin>>;

const ATTACKS = {
  demote: (by: Admin, on: Admin) =>
    by.browser.submit(userPath(on.user.id, "/update"), {
      name: on.user.name,
      email: on.user.email,
      role: "user",
      version: "1",
    }),
  ban: (by: Admin, on: Admin) =>
    by.browser.submit(userPath(on.user.id), { intent: "ban", duration: "forever" }),
  delete: (by: Admin, on: Admin) => by.browser.submit(userPath(on.user.id), { intent: "delete" }),
};

async function countAdmins(): Promise<number> {
  const row = await duel.d1
    .prepare("SELECT count(*) AS n FROM user WHERE role = 'admin' AND banned = 0")
    .first<{ n: number }>();
  return row?.n ?? -1;
}

test.each([
  ["demote", "demote"],
  ["ban", "ban"],
  ["delete", "delete"],
  ["demote", "ban"],
  ["ban", "delete"],
  ["delete", "demote"],
] as const)("two admins who %s and %s each other at once leave one", async (first, second) => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    await reinstate();

    const responses = await Promise.all([ATTACKS[first](one, other), ATTACKS[second](other, one)]);

    expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
    expect(responses.filter(({ status }) => status === 302).length).toBeGreaterThan(0);
    expect(await countAdmins()).toBe(1);
  }
});

test("removing the last admin is refused with a message", async () => {
  await reinstate();
  // A user with an expired ban may sign in, but does not count as an admin until the ban is lifted.
  await duel.d1
    .prepare("UPDATE user SET banned = 1, ban_expires = 1 WHERE id = ?")
    .bind(one.user.id)
    .run();
  await reinstate("updated_at = updated_at");
  const records = await auditOf(duel, other.user.id);
  const message = "There must always be an admin. Make someone else an admin first.";

  const demoted = await ATTACKS.demote(one, other);
  expect(demoted.status).toBe(400);
  expect(accessibleError(await demoted.text(), "role")).toBe(message);
  for (const attack of [ATTACKS.ban, ATTACKS.delete]) {
    expect(await toastOf(one.browser, await attack(one, other))).toBe(message);
  }
  expect(await countAdmins()).toBe(1);
  expect(await auditOf(duel, other.user.id)).toEqual(records);
});

test("the database refuses every removal of the last admin", async () => {
  await reinstate();
  await duel.d1.prepare("UPDATE user SET role = 'user' WHERE id = ?").bind(other.user.id).run();

  for (const change of ["role = 'user'", "banned = 1"]) {
    const write = duel.d1.prepare(`UPDATE user SET ${change} WHERE id = ?`).bind(one.user.id);
    await expect(write.run()).rejects.toThrow("LAST_ADMIN");
  }
  const deletion = duel.d1.prepare("DELETE FROM user WHERE id = ?").bind(one.user.id);
  await expect(deletion.run()).rejects.toThrow("LAST_ADMIN");
  expect(await countAdmins()).toBe(1);
});
