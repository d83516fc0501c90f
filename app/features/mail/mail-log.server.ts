import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import { hasDelivery, isInState, isOfKind } from "../../db/mail-criteria.ts";
import { selectMailPause } from "../../db/mail-pause.ts";
import { readOf } from "../../db/read.server.ts";
import { mailOutbox, user } from "../../db/schema/schema.ts";
import { momentsOf, readDayRange } from "../../lists/query/day-range.ts";
import { list, type Reader } from "../../lists/query/list.server.ts";
import type { ListNotice } from "../../lists/query/list-params.ts";
import { indexed } from "../../lists/query/plan.server.ts";
import { DELIVERIES, type Delivery } from "./delivery.ts";
import { isRetriable } from "./due-mails.server.ts";
import { MAIL_KINDS } from "./mail-message.ts";
import { MAIL_STATES } from "./states.ts";

type Filters = {
  kind?: (typeof MAIL_KINDS)[number];
  state?: (typeof MAIL_STATES)[number];
  delivery?: Delivery;
  from?: string;
  to?: string;
};

/**
 * The mails that were queued, the newest first. The search matches a whole e-mail, or the ID of a mail or a user. Mail
 * content is never read, because it may hold another person's one-time code.
 */
const mails = list({
  id: mailOutbox.id,
  select: (db, where, order, { now }) =>
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
      .where(where)
      .orderBy(...order),
  sorts: ["created"],
  orders: {
    created: { by: mailOutbox.createdAt, valueOf: ({ createdAt }) => createdAt.getTime() },
  },
  orderOf: () => ({ sort: "created", direction: "desc" }),
  readFilters,
  parts: (filters, searchTerm, { timeZone }) => [
    {
      from: indexed(mailOutbox, indexOf(filters, searchTerm)),
      where: criteriaOf(filters, searchTerm, timeZone),
    },
  ],
  show: ({ canRetry, ...row }) => ({ ...row, canRetry: canRetry === 1 }),
});

/** Loads the mail log for a URL, and whether mails wait for the provider, in one round trip. */
export async function loadMailLog(db: Db, url: URL, reader: Reader) {
  const pauses = readOf(
    (one) => selectMailPause(one, reader.now),
    ([pause]) => pause,
  );
  const { loaded, beside } = await mails.loadWith(db, url, reader, pauses);
  return { ...loaded, pause: beside };
}

/** Reads the filters from the URL. Drops values that are not valid and adds a notice. */
function readFilters(url: URL): { filters: Filters; notices: ListNotice[] } {
  const notices: ListNotice[] = [];
  const { isMalformed, ...days } = readDayRange(url);
  if (isMalformed) notices.push("common:list.dayIgnored");
  const kind = z.enum(MAIL_KINDS).safeParse(url.searchParams.get("kind") || undefined);
  const state = z.enum(MAIL_STATES).safeParse(url.searchParams.get("state") || undefined);
  const delivery = z.enum(DELIVERIES).safeParse(url.searchParams.get("delivery") || undefined);
  const read = { kind: kind.data, state: state.data, delivery: delivery.data };
  if (Object.entries(read).some(([name, value]) => url.searchParams.get(name) && !value)) {
    notices.push("common:list.filterIgnored");
  }
  return { filters: { ...read, ...days }, notices };
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
    kind && isOfKind(kind),
    state && isInState(state),
    delivery && hasDelivery(delivery),
    start && gte(mailOutbox.createdAt, start),
    end && lt(mailOutbox.createdAt, end),
  );
}

/** Returns the index of the mails with the rarest of these properties; undefined for a search by an id. */
function indexOf({ kind, state, delivery }: Filters, searchTerm: string): string | undefined {
  if (searchTerm.trim()) return searchTerm.includes("@") ? "mail_outbox_recipient" : undefined;
  if (state && state !== "sent") return "mail_outbox_unsent";
  if (delivery && delivery !== "delivered") return "mail_outbox_undelivered";
  if (kind && kind !== "login-code") return "mail_outbox_rare_kind";
  return "mail_outbox_created_at";
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
