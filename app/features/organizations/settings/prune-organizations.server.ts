import { lt } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { invitation, invitationLink, oldSlug } from "../../../db/schema/schema.ts";
import { DAY_MS } from "../../../values/time.ts";

/** Invitations hold e-mails of people without an account, so they are not kept longer than this. */
const KEPT_DAYS = 30;

/** Deletes invitations and links that ended a month ago, and slugs that lead nowhere any more. */
export async function pruneOrganizations(db: Db, now: Date): Promise<void> {
  const monthAgo = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
  await db.batch([
    db
      .delete(invitation)
      // An answer comes before the expiry, so this is at most a week late.
      .where(lt(invitation.expiresAt, monthAgo)),
    db.delete(invitationLink).where(lt(invitationLink.expiresAt, monthAgo)),
    db.delete(oldSlug).where(lt(oldSlug.expiresAt, now)),
  ]);
}
