import { and, isNotNull, isNull, or, sql } from "drizzle-orm";
import { changeAndRecord } from "../../../db/change.server.ts";
import { organization } from "../../../db/schema/schema.ts";
import {
  eventIn,
  isKey,
  type OrganizationCall,
  type Refusal,
  refuse,
  selectStanding,
} from "../standing.server.ts";

type Done = { ok: true } | Refusal;

/**
 * Disables an organization, for managers. Members still see it, and the reason; nothing in it can change. A second time
 * only another reason changes something. Errors: ORGANIZATION_NOT_FOUND.
 */
export async function disableOrganization(call: OrganizationCall, reason: string): Promise<Done> {
  const { db, actor, key } = call;
  const now = actor.source.now();
  const isChange = or(
    isNull(organization.disabledAt),
    sql`${organization.disabledReason} IS NOT ${reason}`,
  );
  const { found } = await changeAndRecord(db, {
    change: db
      .update(organization)
      .set({
        disabledAt: sql`coalesce(${organization.disabledAt}, ${now.getTime()})`,
        disabledReason: reason,
        ...touched(now),
      })
      .where(and(isKey(key), isChange)),
    event: eventIn(call, "organization.disabled", { reason }),
    after: { found: selectStanding(call) },
  });
  return found.length > 0 ? { ok: true } : refuse("ORGANIZATION_NOT_FOUND");
}

/** Enables an organization again; does nothing to an enabled one. Errors: ORGANIZATION_NOT_FOUND. */
export async function enableOrganization(call: OrganizationCall): Promise<Done> {
  const { db, actor, key } = call;
  const { found } = await changeAndRecord(db, {
    change: db
      .update(organization)
      .set({ disabledAt: null, disabledReason: null, ...touched(actor.source.now()) })
      .where(and(isKey(key), isNotNull(organization.disabledAt))),
    event: eventIn(call, "organization.enabled"),
    after: { found: selectStanding(call) },
  });
  return found.length > 0 ? { ok: true } : refuse("ORGANIZATION_NOT_FOUND");
}

function touched(now: Date) {
  return { updatedAt: now, version: sql`${organization.version} + 1` };
}
