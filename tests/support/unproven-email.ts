import type { Browser } from "./client.ts";
import type { startIdentityProvider } from "./oidc.ts";
import type { Gatehouse } from "./worker.ts";

/** Condition for the rows of the user with an e-mail. */
export const OF_EMAIL = "user_id = (SELECT id FROM user WHERE email = ?)";

type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/** What the tests of unproven e-mails do and read. */
export function unprovenOf(gatehouse: Gatehouse, provider: IdentityProvider) {
  /** Signs in at a provider that reports the e-mail as unverified, and returns the response to the callback. */
  async function signInUnproven(browser: Browser, email: string, login = "/login", fault?: string) {
    provider.setVisitor({ email, isEmailVerified: false, name: "Sofía Provider" });
    const pressed = await browser.submit(login, { intent: "social", provider: "oidc" });
    const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
    const headers: Record<string, string> = fault ? { "x-d1-fault": fault } : {};
    return browser.get(back.pathname + back.search, { headers });
  }

  async function userOf(browser: Browser): Promise<{ id: string; email: string } | undefined> {
    const session = JSON.parse(await (await browser.get("/api/auth/get-session")).text());
    return session?.user;
  }

  async function count(sql: string, value: string, target: Pick<Gatehouse, "d1"> = gatehouse) {
    const statement = target.d1.prepare(`SELECT count(*) AS n FROM ${sql}`).bind(value);
    return (await statement.first<number>("n")) ?? -1;
  }

  const accountsOf = (email: string) => count(`account WHERE ${OF_EMAIL}`, email);
  const countMethodMails = (email: string) =>
    count("mail_outbox WHERE kind = 'sign-in-method-added' AND recipient = ?", email);

  /** Sets an e-mail to unproven, which the product itself never does. */
  async function unprove(userId: string): Promise<void> {
    await gatehouse.d1
      .prepare("UPDATE user SET email_verified = 0 WHERE id = ?")
      .bind(userId)
      .run();
  }

  return { signInUnproven, userOf, count, accountsOf, countMethodMails, unprove };
}
