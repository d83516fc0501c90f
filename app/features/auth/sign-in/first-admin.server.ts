import { and, eq, inArray, not, type SQL, sql } from "drizzle-orm";
import { href } from "react-router";
import { hasAdminRole } from "../../../db/admin-role.ts";
import { recordedChange } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { user } from "../../../db/schema/schema.ts";
import { rolesOf } from "../../access/permissions.ts";
import { type AuditSource, eventOf } from "../../audit/audit.server.ts";
import { newsExpiry } from "../../audit/occasion.server.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import type { GatewayScope, SignedIn } from "./scope.server.ts";

type PromotionOptions = {
  mailer: Pick<Mailer, "prepareForUsers">;
  baseUrl: string;
  adminEmails: string[];
};

/**
 * Returns the statements that make a user an admin when their verified e-mail is in `ADMIN_EMAILS`, for a batch of a
 * sign-in. Removing an e-mail from the list demotes no one.
 */
export function promotion(db: Db, source: AuditSource, userId: string, adminEmails: string[]) {
  return recordedChange(
    db,
    db
      .update(user)
      .set({
        role: sql`CASE ${user.role} WHEN 'user' THEN 'admin' ELSE 'admin,' || ${user.role} END`,
        updatedAt: source.now(),
        version: sql`${user.version} + 1`,
      })
      .where(isPromoted(userId, adminEmails)),
    eventOf(source, {
      action: "user.promoted",
      actorId: null,
      target: { type: "user", id: userId },
    }),
  );
}

/** SQL condition: a row of `user` is this one, and the promotion changes it. */
function isPromoted(userId: string, adminEmails: string[]): SQL | undefined {
  return and(
    eq(user.id, userId),
    inArray(user.email, adminEmails),
    eq(user.emailVerified, true),
    not(hasAdminRole(user.role)),
  );
}

/** Prepares the mail about a promotion, for the batch that promotes afterwards. */
export async function preparePromotionMail(
  { mailer, baseUrl, adminEmails }: PromotionOptions,
  { request, language }: Pick<GatewayScope, "request" | "language">,
  { id, role }: Pick<SignedIn, "id" | "role">,
) {
  const now = request.now();
  const mail = {
    language,
    expiresAt: newsExpiry(now),
    message: {
      kind: "roles-changed",
      roles: rolesOf({ role }),
      link: new URL(href("/login"), baseUrl).href,
    },
  } as const;
  return mailer.prepareForUsers(mail, sql`${isPromoted(id, adminEmails)}`, now);
}

/** Returns a user's role after the promotion. */
export function promotedRole(role: string): string {
  if (rolesOf({ role }).includes("admin")) return role;
  return role === "user" ? "admin" : `admin,${role}`;
}
