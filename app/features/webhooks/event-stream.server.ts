import { and, eq, lte, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { auditEvent } from "../../db/schema/schema.ts";
import { behind, orderBy } from "../../lists/query/page.server.ts";
import type { AuditAction } from "../audit/actions.ts";
import { afterDelivery, readDelivery, writeDelivery } from "./delivery-key.ts";
import { dataOf, typeOf } from "./events.ts";
import type { ApiEvent } from "./events-api.ts";

/**
 * The newest events are held back for so long: one is recorded with the time at which its request began, so another may
 * still come before it, and a reader whose cursor had passed would never see that one.
 */
const SETTLING_MS = 60_000;

type Asked = { after?: string | undefined; limit: number; action?: AuditAction | undefined };

/** Lists the events behind a cursor, the oldest first. */
export async function listEvents(
  db: Db,
  { after, limit, action }: Asked,
  now: Date,
): Promise<ApiEvent[]> {
  const { createdAt, id } = auditEvent;
  const oldest = { by: createdAt, direction: "asc" } as const;
  const rows = await db
    .select()
    .from(auditEvent)
    .where(
      and(
        behind(oldest, id, after === undefined ? undefined : afterDelivery(readDelivery(after))),
        lte(createdAt, new Date(now.getTime() - SETTLING_MS)),
        action && eq(auditEvent.action, action),
        // The condition of the partial index by action.
        action && action !== "user.signed_in"
          ? sql`${auditEvent.action} <> 'user.signed_in'`
          : undefined,
      ),
    )
    .orderBy(...orderBy(oldest, id))
    .limit(limit);
  return rows.map(({ userAgent, place, requestId, ...event }) => {
    const { ipAddress } = event;
    return {
      id: event.id,
      type: typeOf(event.action, event.details) ?? null,
      timestamp: event.createdAt.toISOString(),
      data: { ...dataOf(event, { withIpAddress: false }), ipAddress },
      action: event.action,
      userAgent,
      location: place,
      requestId,
      cursor: writeDelivery({ createdAt: event.createdAt, eventId: event.id }),
    };
  });
}
