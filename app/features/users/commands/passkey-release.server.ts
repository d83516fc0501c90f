import { and, eq, not, sql } from "drizzle-orm";
import { changeAndRecord } from "../../../db/change.server.ts";
import { touched } from "../../../db/changed-rows.ts";
import { passkey, siteSetting, user } from "../../../db/schema/schema.ts";
import { PASSKEY_RELEASE_HOURS } from "../../../values/limits.ts";
import { loginLink } from "../../../values/login-link.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { findUser } from "../list/user-queries.server.ts";
import { prepareUserMail, type UserServices } from "./user-mail.server.ts";
import { attempt, type Result, selectId, userEvent } from "./user-record.server.ts";
import { roleIs } from "./user-roles.server.ts";

const HOUR_MS = 3_600_000;

/**
 * Lets a manager without a passkey add one in the next 24 hours although the grace period is over, and sends a mail, in
 * one batch. Errors: `not_found`, `yourself`, `no_release` when the user has a passkey, is no manager, or needs none.
 */
export async function releasePasskey(
  services: UserServices,
  actor: Actor,
  id: string,
): Promise<Result> {
  const { db, baseUrl } = services;
  if (id === actor.actorId) return { ok: false, error: "yourself" };
  const found = await findUser(db, id);
  if (!found) return { ok: false, error: "not_found" };
  const now = actor.source.now();
  const until = new Date(now.getTime() + PASSKEY_RELEASE_HOURS * HOUR_MS);
  const mail = await prepareUserMail(services, now, found.email, {
    kind: "passkey-released",
    link: loginLink(baseUrl, found.email),
  });
  const isNeeded = sql`EXISTS (SELECT 1 FROM ${siteSetting} WHERE ${siteSetting.managerPasskeysSince} IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM ${passkey} WHERE ${passkey.userId} = ${id})`;
  return attempt(id, async () => {
    const { isChanged, rows, users } = await changeAndRecord(db, {
      change: db
        .update(user)
        .set({ passkeyReleaseUntil: until, ...touched(now) })
        .where(and(eq(user.id, id), not(roleIs("user")), isNeeded)),
      event: userEvent(actor, "user.passkey_released", id, { until: until.toISOString() }),
      next: (isReleased) => ({ rows: mail.ifChanged(isReleased) }),
      after: { users: selectId(db, id) },
    });
    mail.deliver(rows);
    return isChanged || (users.length > 0 ? "no_release" : "not_found");
  });
}
