import { auditOf } from "./audit.ts";
import type { Browser } from "./client.ts";
import { aSignedInUser, type Person } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

const DAY_MS = 86_400_000;

/** Returns functions that prepare, run and read the deletion of accounts on one server. */
export function accountDeletions(gatehouse: Gatehouse) {
  const { d1 } = gatehouse;

  async function dueOf(id: string): Promise<number | null> {
    return d1
      .prepare("SELECT deletion_due_at FROM user WHERE id = ?")
      .bind(id)
      .first("deletion_due_at");
  }

  async function exists(id: string): Promise<boolean> {
    return (await d1.prepare("SELECT id FROM user WHERE id = ?").bind(id).first()) !== null;
  }

  async function actionsOf(id: string): Promise<string[]> {
    return (await auditOf(gatehouse, id)).map(({ action }) => action);
  }

  /** Makes a signed-in user who confirmed the deletion so many days ago. */
  async function aUserInGrace(daysAgo: number, overrides: Partial<Person> = {}) {
    const { user, browser } = await aSignedInUser(gatehouse, overrides);
    await d1
      .prepare("UPDATE user SET deletion_due_at = ? WHERE id = ?")
      .bind(Date.now() + (7 - daysAgo) * DAY_MS, user.id)
      .run();
    return { user, browser };
  }

  /** Runs the minute's cron trigger, which erases what is due, at one of the next full hours. */
  function runErasure(hoursAhead = 1): Promise<void> {
    const hour = 3_600_000;
    return gatehouse.runScheduled(new Date((Math.floor(Date.now() / hour) + hoursAhead) * hour));
  }

  async function anOrganization(members: [userId: string, role: string][]): Promise<string> {
    const id = crypto.randomUUID();
    await d1.batch([
      d1
        .prepare("INSERT INTO organization (id, name, slug, created_at) VALUES (?1, ?1, ?1, 1)")
        .bind(id),
      ...members.map(([userId, role]) =>
        d1
          .prepare(
            "INSERT INTO member (id, organization_id, user_id, role, created_at) VALUES (?, ?, ?, ?, 1)",
          )
          .bind(crypto.randomUUID(), id, userId, role),
      ),
    ]);
    return id;
  }

  async function deleteByCall(browser: Browser, body: object) {
    const response = await browser.api("/api/auth/delete-user", body);
    return { status: response.status, body: JSON.parse(await response.text()), response };
  }

  return { dueOf, exists, actionsOf, aUserInGrace, runErasure, anOrganization, deleteByCall };
}
