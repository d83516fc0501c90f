import { and, eq, type SQL, sql } from "drizzle-orm";
import { spending } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { account, user } from "../../../db/schema/schema.ts";
import type { RequestInfo } from "../../../http/request-context.ts";
import type { Language } from "../../../i18n/languages.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { describeNews, newsExpiry } from "../../audit/occasion.server.ts";
import type { Mail, SignInMethod } from "../../mail/mail-message.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import type { PendingLink } from "./pending-link.server.ts";
import { insertLink } from "./pending-link.server.ts";
import { nameOfProvider, type Provider } from "./providers.ts";

type Call = { info: RequestInfo; language: Language };
type Owner = { id: string; email: string; role: string };

type MethodsOptions = {
  db: Db;
  mailer: Pick<Mailer, "prepare">;
  baseUrl: string;
  providers: Provider[];
};

/** Mails the owner of an account when a sign-in method is added to it. */
export function createSignInMethods({ db, mailer, baseUrl, providers }: MethodsOptions) {
  /**
   * Mails about a method that better-auth has added, if `isAdded` holds. A mail that cannot be
   * written is logged and undoes nothing.
   */
  async function tell(
    call: Call,
    userId: string,
    method: SignInMethod,
    isAdded: SQL = sql`true`,
  ): Promise<void> {
    const { info } = call;
    const now = info.now();
    try {
      const [owner] = await db
        .select({ id: user.id, email: user.email, role: user.role })
        .from(user)
        .where(eq(user.id, userId));
      if (!owner) return;
      const mail = await mailer.prepare(mailOf(call, owner, method), now, "anyone", isAdded);
      const rows = await mail.statement;
      info.afterAnswer(() => mail.send(rows));
    } catch (error) {
      log("error", "mail.not_queued", { request: info.id, ...describeError(error) });
    }
  }

  /** Mails about a provider account, if better-auth has linked it: also when the call failed afterwards. */
  function tellLinked(
    call: Call,
    { userId, providerId, accountId }: { userId: string; providerId: string; accountId: string },
  ): Promise<void> {
    const isLinked = and(
      eq(account.userId, userId),
      eq(account.providerId, providerId),
      eq(account.accountId, accountId),
    );
    const isAdded = sql`EXISTS (SELECT 1 FROM ${account} WHERE ${isLinked})`;
    return tell(call, userId, accountAt(providerId), isAdded);
  }

  /**
   * Links a pending account to the user who has just confirmed its e-mail: account, audit event and mail in one batch.
   * A failure is logged and the sign-in stands; the next sign-in with the provider asks for a code again.
   */
  async function link(call: Call, pending: PendingLink, owner: Owner): Promise<void> {
    const { info } = call;
    const now = info.now();
    try {
      const mail = mailOf(call, owner, accountAt(pending.provider));
      const news = await mailer.prepare(mail, now);
      const [linked, rows] = await db.batch(
        spending(insertLink(db, pending, owner.id, now), news.ifChanged),
      );
      if (linked.meta.changes === 0) return;
      log("info", "auth.linked", { request: info.id, user: owner.id });
      info.afterAnswer(() => news.send(rows));
    } catch (error) {
      log("error", "auth.link_failed", { request: info.id, ...describeError(error) });
    }
  }

  function accountAt(provider: string): SignInMethod {
    return { type: "account", name: nameOfProvider(provider, providers) };
  }

  function mailOf(call: Call, { email, role }: Owner, method: SignInMethod): Mail {
    return {
      recipient: email,
      language: call.language,
      expiresAt: newsExpiry(call.info.now()),
      message: { kind: "sign-in-method-added", method, ...describeNews(call.info, role, baseUrl) },
    };
  }

  return { tell, tellLinked, link };
}
