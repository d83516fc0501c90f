import { and, eq } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { invitation, invitationLink, organization } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { isolate } from "../../../ui/text/isolate.ts";
import { linkIdOf } from "./link-token.server.ts";

/**
 * Returns the organization of the invitation that the sign-in leads to; undefined for any other
 * page. The invitation's page has already shown the name.
 */
export async function findEntryOrganization(
  { db, keys }: { db: Db; keys: Keys },
  page: string | undefined,
): Promise<string | undefined> {
  const invited = page?.match(/^\/invitations\/([^/?#]+)(?:[?#]|$)/)?.[1];
  const link = await linkIdOf(keys, page);
  if (!invited && !link) return undefined;
  const name = { name: organization.name };
  try {
    const [found] = link
      ? await db
          .select(name)
          .from(invitationLink)
          .innerJoin(organization, eq(organization.id, invitationLink.organizationId))
          .where(eq(invitationLink.id, link))
      : await db
          .select(name)
          .from(invitation)
          .innerJoin(organization, eq(organization.id, invitation.organizationId))
          .where(and(eq(invitation.id, invited ?? ""), eq(invitation.status, "pending")));
    return found && isolate(found.name);
  } catch (error) {
    // The login page works without the database.
    log("warn", "entry.not_read", describeError(error));
    return undefined;
  }
}
