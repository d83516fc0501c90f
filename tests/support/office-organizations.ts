import type { Browser } from "./client.ts";
import { readPage, textOf } from "./page.ts";
import type { Gatehouse } from "./worker.ts";

/** What the tests of the back-office's organizations do and read. */
export function officeOf(gatehouse: Gatehouse, manager: Browser) {
  function pathOf(id: string): string {
    return `/manager/organizations/${id}`;
  }

  /** Returns the toast of the page after a form, as it is shown without JavaScript. */
  async function toastOf(browser: Browser, response: Response): Promise<string> {
    const page = await (await browser.follow(response)).text();
    return textOf(readPage(page).noscript());
  }

  /** Posts a form of an organization's screen. */
  function change(id: string, fields: Record<string, string>, browser = manager) {
    return browser.submit(pathOf(id), fields);
  }

  async function rolesIn(id: string): Promise<Record<string, string>> {
    const { results } = await gatehouse.d1
      .prepare("SELECT user_id, role FROM member WHERE organization_id = ?")
      .bind(id)
      .all<{ user_id: string; role: string }>();
    return Object.fromEntries(results.map(({ user_id, role }) => [user_id, role]));
  }

  function findRow(id: string) {
    return gatehouse.d1
      .prepare("SELECT * FROM organization WHERE id = ?")
      .bind(id)
      .first<Record<string, string | number | null>>();
  }

  async function lastEvent(id: string) {
    const { results } = await gatehouse.d1
      .prepare(
        "SELECT action, actor_id, details FROM audit_event WHERE target_id = ? ORDER BY created_at DESC",
      )
      .bind(id)
      .all<{ action: string; actor_id: string; details: string | null }>();
    const [event] = results;
    return event && { ...event, details: JSON.parse(event.details ?? "null") };
  }

  return { pathOf, toastOf, change, rolesIn, findRow, lastEvent };
}
