import { auditOf } from "./audit.ts";
import { type Browser, locationOf, readText } from "./client.ts";
import { anAdmin, aUser, impersonate, type Person } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

const COOKIE = "gatehouse.session_token";

/** A fault before and after each of the first three database calls. */
export const FAULTS = ["before", "after"].flatMap((moment) =>
  [1, 2, 3].map((call) => `${call} ${moment}`),
);

type SessionRow = {
  id: string;
  token: string;
  user_id: string;
  impersonated_by: string | null;
  authenticated_at: number | null;
  created_at: number;
  expires_at: number;
};

/** Follows a form's redirect and returns the page's path and text. */
export async function readNext(browser: Browser, response: Response | Promise<Response>) {
  const page = await browser.follow(response);
  return { path: new URL(page.url).pathname, text: readText(await page.text()) };
}

/** Returns functions that start impersonations on one server and read what they stored. */
export function impersonations(gatehouse: Gatehouse) {
  async function sessionsOf(userId: string): Promise<SessionRow[]> {
    const { results } = await gatehouse.d1
      .prepare("SELECT * FROM session WHERE user_id = ? ORDER BY created_at, id")
      .bind(userId)
      .all<SessionRow>();
    return results;
  }

  /** Returns the audit events about impersonations of a user. */
  async function recordsOf(person: Person) {
    const events = await auditOf(gatehouse, person.id);
    return events.filter(({ action }) => action.startsWith("user.impersonat"));
  }

  /** Makes an admin who impersonates a user. */
  async function anImpersonation(overrides: Partial<Person> = {}) {
    const { user: admin, browser } = await anAdmin(gatehouse);
    const own = browser.cookies.get(COOKIE);
    const person = await aUser(gatehouse, { name: "Zuri", ...overrides });
    const response = await impersonate(browser, person.id);
    if (locationOf(response) !== "/app") throw new Error("The impersonation did not start");
    return { admin, browser, own, person, response };
  }

  return { sessionsOf, recordsOf, anImpersonation };
}
