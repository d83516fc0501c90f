import { and, eq, isNotNull } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { member, organization } from "../../db/schema/schema.ts";
import {
  eventIn,
  findRefusal,
  isAllowed,
  isKey,
  type OrganizationCall,
  type Refusal,
  selectStanding,
} from "./standing.server.ts";

const UPDATE = ["organization", "update"] as const;

/** Changes the logo to a stored picture, or removes it with null. Errors: those of `findRefusal`. */
export async function changeLogo(
  call: OrganizationCall,
  logo: string | null,
): Promise<{ ok: true } | Refusal> {
  const { db, actor, key, as } = call;
  const done = await changeAndRecord(db, {
    change: db
      .update(organization)
      .set({ logo, updatedAt: actor.source.now() })
      .where(
        and(
          isKey(key),
          isAllowed(call, UPDATE),
          logo === null ? isNotNull(organization.logo) : undefined,
        ),
      ),
    event: eventIn(call, logo === null ? "organization.logo_removed" : "organization.logo_changed"),
    after: { found: selectStanding(call) },
  });
  // A logo that another request has removed is a success too.
  if (done.isChanged) return { ok: true };
  return findRefusal(done.found[0], UPDATE, as) ?? { ok: true };
}

/** Returns true when an organization with this logo has the user as a member. */
export async function hasLogo(db: Db, userId: string, logo: string): Promise<boolean> {
  const rows = await db
    .select({ id: organization.id })
    .from(member)
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(and(eq(member.userId, userId), eq(organization.logo, logo)));
  return rows.length > 0;
}
