import { auditOf } from "./audit.ts";
import type { Browser } from "./client.ts";
import { anOrganization } from "./organizations.ts";
import { aSignedInUser } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

const HOUR_MS = 3_600_000;

/** Returns the path of an organization's settings. */
export function settingsOf({ slug }: { slug: string }): string {
  return `/app/organizations/${slug}/settings`;
}

/** Asks for the deletion of an organization with a typed name. */
export function startDeletion(
  browser: Browser,
  organization: { slug: string; name: string },
  typedName = organization.name,
  init?: RequestInit,
) {
  return browser.submit(settingsOf(organization), { intent: "delete", typedName }, init);
}

/** Asks to keep an organization that is being deleted. */
export function restore(browser: Browser, organization: { slug: string }, init?: RequestInit) {
  return browser.submit(settingsOf(organization), { intent: "restore" }, init);
}

/** Returns functions that prepare, run and read the deletion of organizations on one server. */
export function organizationDeletions(gatehouse: Gatehouse) {
  const { d1 } = gatehouse;

  async function dueOf({ id }: { id: string }): Promise<number | null> {
    return d1
      .prepare("SELECT deletion_due_at FROM organization WHERE id = ?")
      .bind(id)
      .first("deletion_due_at");
  }

  /** Ends the grace period of an organization. */
  async function makeDue({ id }: { id: string }): Promise<void> {
    await d1.prepare("UPDATE organization SET deletion_due_at = 1 WHERE id = ?").bind(id).run();
  }

  async function actionsOf({ id }: { id: string }): Promise<string[]> {
    return (await auditOf(gatehouse, id)).map(({ action }) => action);
  }

  async function countOf(table: string, condition: string, ...values: unknown[]) {
    return d1
      .prepare(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`)
      .bind(...values)
      .first<number>("n");
  }

  /** Makes an organization with its signed-in owner. */
  async function anOwner(parts: Parameters<typeof anOrganization>[2] = {}, name?: string) {
    const owner = await aSignedInUser(gatehouse);
    const made = await anOrganization(gatehouse, name ? { name } : {}, {
      owner: owner.user,
      ...parts,
    });
    return { ...owner, ...made };
  }

  /** Runs the minute's cron trigger, which erases what is due, at one of the next full hours. */
  function runErasure(hoursAhead = 1): Promise<void> {
    return gatehouse.runScheduled(
      new Date((Math.floor(Date.now() / HOUR_MS) + hoursAhead) * HOUR_MS),
    );
  }

  return { dueOf, makeDue, actionsOf, countOf, anOwner, runErasure };
}
