import { auditOf } from "./audit.ts";
import { type Browser, readText } from "./client.ts";
import type { startIdentityProvider } from "./oidc.ts";
import type { Gatehouse } from "./worker.ts";

type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/** Returns the text of the page that a response redirects to. */
export async function readNext(browser: Browser, response: Response): Promise<string> {
  return readText(await (await browser.follow(response)).text());
}

/** What the tests of linked accounts do and read. */
export function linkedAccountsOf(gatehouse: Gatehouse, provider: IdentityProvider) {
  function link(browser: Browser, account = "/app/account", id = "oidc"): Promise<Response> {
    return browser.submit(account, { intent: "link", provider: id });
  }

  /** Signs in at the provider and returns the response to the callback. */
  async function followCallback(browser: Browser, pressed: Response): Promise<Response> {
    const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
    return browser.get(back.pathname + back.search);
  }

  async function linkThrough(browser: Browser, account = "/app/account"): Promise<Response> {
    return followCallback(browser, await link(browser, account));
  }

  async function accountsOf(userId: string, target: Pick<Gatehouse, "d1"> = gatehouse) {
    const { results } = await target.d1
      .prepare(
        "SELECT id, provider_id, email FROM account WHERE user_id = ? ORDER BY created_at, id",
      )
      .bind(userId)
      .all<{ id: string; provider_id: string; email: string | null }>();
    return results;
  }

  async function anAccount(
    userId: string,
    providerId: string,
    target: Pick<Gatehouse, "d1"> = gatehouse,
  ) {
    const id = crypto.randomUUID();
    const now = Date.now();
    await target.d1
      .prepare(
        "INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
      )
      .bind(id, crypto.randomUUID(), providerId, userId, now, now)
      .run();
    return id;
  }

  async function linkEventsOf(userId: string) {
    const events = await auditOf(gatehouse, userId);
    return events.filter(({ action }) => action.startsWith("account."));
  }

  /** Moves the start of a user's sessions so many minutes into the past. */
  function age(userId: string, minutes: number) {
    return gatehouse.d1
      .prepare("UPDATE session SET created_at = created_at - ? WHERE user_id = ?")
      .bind(minutes * 60_000, userId)
      .run();
  }

  return { link, followCallback, linkThrough, accountsOf, anAccount, linkEventsOf, age };
}
