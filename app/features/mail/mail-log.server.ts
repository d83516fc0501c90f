import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import { hasDelivery, isInState, isOfKind } from "../../db/mail-criteria.ts";
import { mailOutbox, user } from "../../db/schema/schema.ts";
import { momentsOf, readDayRange } from "../../lists/query/day-range.ts";
import { type ListParams, readListParams } from "../../lists/query/list-params.ts";
import { listState } from "../../lists/query/list-state.ts";
import { DELIVERIES, type Delivery } from "./delivery.ts";
import { isRetriable } from "./due-mails.server.ts";
import { MAIL_KINDS } from "./mail-message.ts";
import { MAIL_STATES } from "./states.ts";

/** Above this the total is shown as "1,000+". */
const TOTAL_CAP = 1_000;

type Filters = {
  kind?: (typeof MAIL_KINDS)[number];
  state?: (typeof MAIL_STATES)[number];
  delivery?: Delivery;
  from?: string;
  to?: string;
};

/**
 * Loads the mail log for a URL in one round trip. The search matches a whole e-mail, or the ID of a mail or a user. Mail content is never
 * read, because it may hold another person's one-time code.
 */
export async function loadMailLog(db: Db, url: URL, now: Date, timeZone?: string) {
  const params = readListParams(url, ["created"], "desc");
  const filters = readFilters(url, params);
  const criteria = criteriaOf(filters, params.searchTerm, timeZone);
  const limit = params.size * params.pages;
  const [rows, totals] = await db.batch([
    db
      .select({
        id: mailOutbox.id,
        kind: mailOutbox.kind,
        recipient: mailOutbox.recipient,
        state: mailOutbox.state,
        tries: mailOutbox.tries,
        providerId: mailOutbox.providerId,
        lastError: mailOutbox.lastError,
        nextTryAt: mailOutbox.nextTryAt,
        sentAt: mailOutbox.sentAt,
        delivery: mailOutbox.delivery,
        deliveryAt: mailOutbox.deliveryAt,
        deliveryReason: mailOutbox.deliveryReason,
        createdAt: mailOutbox.createdAt,
        // A batch returns rows keyed by column name, so columns with equal names need aliases.
        userId: sql<string | null>`${user.id}`.as("user_id"),
        userName: sql<string | null>`${user.name}`.as("user_name"),
        canRetry: sql<number>`${isRetriable(now)}`.as("can_retry"),
      })
      .from(mailOutbox)
      .leftJoin(user, eq(user.email, mailOutbox.recipient))
      .where(and(criteria, behind(params.after)))
      .orderBy(desc(mailOutbox.createdAt), desc(mailOutbox.id))
      .limit(limit + 1),
    db
      .select({
        count: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${mailOutbox} WHERE ${criteria ?? sql`1`} LIMIT ${TOTAL_CAP + 1}))`,
      })
      .from(sql`(SELECT 1)`),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const count = totals[0]?.count ?? 0;
  return {
    rows: shown.map(({ canRetry, ...row }) => ({ ...row, canRetry: canRetry === 1 })),
    filters,
    state: listState(params, {
      shown: shown.length,
      hasMore: rows.length > limit,
      total: { count: Math.min(count, TOTAL_CAP), isCapped: count > TOTAL_CAP },
      cursor: last && { value: last.createdAt.getTime(), id: last.id },
    }),
  };
}

/** Reads the filters from the URL. Drops values that are not valid and adds a notice. */
function readFilters(url: URL, { notices }: ListParams<string>): Filters {
  const { isMalformed, ...days } = readDayRange(url);
  if (isMalformed) notices.push("common:list.dayIgnored");
  const kind = z.enum(MAIL_KINDS).safeParse(url.searchParams.get("kind") || undefined);
  const state = z.enum(MAIL_STATES).safeParse(url.searchParams.get("state") || undefined);
  const delivery = z.enum(DELIVERIES).safeParse(url.searchParams.get("delivery") || undefined);
  const read = { kind: kind.data, state: state.data, delivery: delivery.data };
  if (Object.entries(read).some(([name, value]) => url.searchParams.get(name) && !value)) {
    notices.push("common:list.filterIgnored");
  }
  return { ...read, ...days };
}

function criteriaOf(
  { kind, state, delivery, ...days }: Filters,
  searchTerm: string,
  timeZone: string | undefined,
): SQL | undefined {
  const { start, end } = momentsOf(days, timeZone);
  const reference = searchTerm.trim();
  return and(
    reference ? isReferred(reference) : undefined,
    // A recipient has few mails, so with a search SQLite is kept from using the indexes of single columns.
    kind && (reference ? eq(mailOutbox.kind, kind) : isOfKind(kind)),
    state && (reference ? eq(mailOutbox.state, state) : isInState(state)),
    delivery && (reference ? eq(mailOutbox.delivery, delivery) : hasDelivery(delivery)),
    start && gte(mailOutbox.createdAt, start),
    end && lt(mailOutbox.createdAt, end),
  );
}

/** SQL condition: mails to an e-mail, or with an id, or to the user with an id. */
function isReferred(reference: string): SQL {
  if (reference.includes("@")) return eq(mailOutbox.recipient, reference.toLowerCase());
  return sql`${mailOutbox.id} IN (
      SELECT ${mailOutbox.id} FROM ${mailOutbox} WHERE ${mailOutbox.id} = ${reference}
      UNION ALL
      SELECT ${mailOutbox.id} FROM ${mailOutbox} WHERE ${mailOutbox.recipient} =
        (SELECT ${user.email} FROM ${user} WHERE ${user.id} = ${reference})
    )`;
}

function behind(after: ListParams<string>["after"]): SQL | undefined {
  return after && sql`(${mailOutbox.createdAt}, ${mailOutbox.id}) < (${after.value}, ${after.id})`;
}
