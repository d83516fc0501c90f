import { and, eq, gt, inArray, lt, ne, type SQL, sql } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import { countedRequest, ruleOf, secondsToWait } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { idsIn } from "../../db/ids-in.ts";
import { readOf } from "../../db/read.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { user } from "../../db/schema/schema.ts";
import { isLanguage, type Language } from "../../i18n/languages.ts";
import { type BulkOutcome, changeTogether } from "../../lists/bulk/bulk-change.ts";
import type { BulkReport, BulkWords } from "../../lists/bulk/bulk-report.ts";
import { list, type Reader } from "../../lists/query/list.server.ts";
import type { Keys } from "../../runtime/keys.server.ts";
import { describeError, log } from "../../runtime/log.ts";
import { wideNetwork } from "../../values/client-network.ts";
import { type Plan, rowsAtOnce } from "../../values/platform-limits.ts";
import { DAY_MS } from "../../values/time.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import type { Mailer } from "../mail/outbox.server.ts";
import { rulesOf } from "../site-settings/admission-rules.server.ts";
import { maskedEmail } from "../site-settings/email-domain.ts";
import { WAITING_LIST_LIMITS } from "./limits.ts";
import { waitingList, waitingListSetting } from "./tables.server.ts";
import { readWaitingState, type WaitingState } from "./waiting-states.ts";

/** Days after which a request is deleted, decided or not. */
const KEPT_DAYS = 365;
const MAIL_DAYS = 7;
const WORDS: BulkWords = {
  refused: "waiting-list:refused",
  more: "waiting-list:more",
  unnamed: "waiting-list:unnamed",
};
const DONE = {
  approved: "waiting-list:approvedDone",
  declined: "waiting-list:declinedDone",
} as const;

type Visitor = { ipAddress: string | undefined; language: Language; now: Date };

/**
 * Puts an e-mail on the waiting list unless it has an account, is on the list, or is refused by the
 * rules of sign-up. One batch of the same statements for every e-mail, so the answer tells nothing.
 * Returns the seconds to wait when the IP address has asked too often, or so many people wait since
 * an hour that an attack is likelier. A part of that hour is kept for networks that have asked
 * seldom, so one network cannot close the list.
 */
export async function joinWaitingList(
  { db, keys }: { db: Db; keys: Keys },
  email: string,
  { ipAddress, language, now }: Visitor,
): Promise<number | undefined> {
  const { byClient, fewOfNetwork, ofBusyNetworks, ofSite } = WAITING_LIST_LIMITS;
  const keyOf = (counted: string) => keys.mac("rate-limit", `waiting-list|${counted}`);
  const rule = ruleOf(byClient);
  const client = countedRequest(db, await keyOf(ipAddress ?? ""), rule, now);
  const networkKey = await keyOf(`hour|${wideNetwork(ipAddress ?? "")}`);
  const network = countedRequest(db, networkKey, ruleOf(fewOfNetwork), now, client.isAllowed);
  const row = rowValues(waitingList, {
    id: crypto.randomUUID(),
    email,
    language,
    state: "waiting",
    createdAt: now,
    decidedAt: null,
    decidedBy: null,
  });
  const isOffered = sql`EXISTS (
    SELECT 1 FROM ${waitingListSetting} WHERE ${waitingListSetting.isOn} AND ${rulesOf(email)}
  )`;
  const hasAccount = sql`EXISTS (SELECT 1 FROM ${user} WHERE ${user.email} = ${email})`;
  const since = new Date(now.getTime() - ofSite.windowMs);
  const isRecent = and(eq(waitingList.state, "waiting"), gt(waitingList.createdAt, since));
  const recent = sql<number>`(SELECT count(*) FROM ${waitingList} WHERE ${isRecent})`;
  const hasRoom = sql<
    0 | 1
  >`(${recent} < CASE WHEN ${network.isAllowed} THEN ${ofSite.max} ELSE ${ofBusyNetworks.max} END)`;
  const [, [counted], , [site]] = await db.batch([
    client.count,
    client.read,
    network.count,
    db.select({ hasRoom: hasRoom.as("has_room") }).from(waitingListSetting),
    db
      .insert(waitingList)
      .select(
        sql`SELECT ${row} WHERE ${client.isAllowed} AND ${hasRoom} AND ${isOffered} AND NOT ${hasAccount}`,
      )
      .onConflictDoNothing(),
  ]);
  const wait = secondsToWait(counted, rule, now);
  return wait ?? (site?.hasRoom === 0 ? ofSite.windowMs / 1_000 : undefined);
}

/** The requests in one state: the oldest first, or with a search term those whose e-mail begins with it, by e-mail. */
const requests = list({
  id: waitingList.id,
  select: (db, where, order) =>
    db
      .select({
        id: waitingList.id,
        email: waitingList.email,
        language: waitingList.language,
        createdAt: waitingList.createdAt,
        decidedAt: waitingList.decidedAt,
      })
      .from(waitingList)
      .where(where)
      .orderBy(...order),
  sorts: ["created", "email"],
  orders: {
    created: { by: waitingList.createdAt, valueOf: ({ createdAt }) => createdAt.getTime() },
    email: { by: waitingList.email, valueOf: ({ email }) => email },
  },
  orderOf: (searchTerm) => ({ sort: searchTerm ? "email" : "created", direction: "asc" }),
  readFilters: ({ searchParams }) => ({ filters: readWaitingState(searchParams) }),
  parts: (shown, searchTerm) => [{ from: sql`${waitingList}`, where: isShown(shown, searchTerm) }],
  show: (row) => row,
});

const SWITCH = readOf(
  (db) =>
    db
      .select({
        hasAny: sql<number>`EXISTS (SELECT 1 FROM ${waitingList})`.as("has_any"),
        isOn: waitingListSetting.isOn,
      })
      .from(waitingListSetting),
  ([setting]) => ({
    /** False when there is no request in any state. */
    hasAny: setting?.hasAny === 1,
    isOn: setting?.isOn,
  }),
);

/** Loads the requests in one state for a URL, and whether the list is on, in one round trip. */
export async function loadWaitingList(db: Db, url: URL, reader: Reader) {
  const { loaded, beside } = await requests.loadWith(db, url, reader, SWITCH);
  const { rows, filters: shown, state } = loaded;
  return { rows, shown, state, ...beside };
}

/**
 * SQL condition: requests in this state, whose e-mail begins with the term. Each walks an index in
 * the list's order.
 */
function isShown(shown: WaitingState, searchTerm: string): SQL | undefined {
  const { state, email } = waitingList;
  const beginning = searchTerm.toLowerCase();
  if (beginning === "") return eq(state, shown);
  // The plus keeps SQLite from the index of states, so that it walks the one of e-mails.
  return sql`+${state} = ${shown} AND ${email} >= ${beginning} AND ${email} < ${`${beginning}\u{10ffff}`}`;
}

type Request = { id: string; email: string; language: string };

/** The change, its audit event and its mail. */
const STATEMENTS_OF_A_DECISION = 3;

type DecisionServices = {
  db: Db;
  mailer: Pick<Mailer, "prepare">;
  baseUrl: string;
  plan: Plan;
  afterAnswer: (work: () => Promise<unknown>) => void;
};

/**
 * Approves or declines requests. Who is approved gets a mail in their language; who is declined gets none, because
 * anybody can put a stranger's e-mail on the list. A decision can be changed until the person has signed up. Refusal:
 * the request is gone, or another admin has decided the same.
 */
export async function decideRequests(
  services: DecisionServices,
  actor: Actor,
  { intent, ids }: { intent: "approve" | "decline"; ids: string[] },
): Promise<BulkReport> {
  const { db } = services;
  const { id, email, language } = waitingList;
  const rows = await db.select({ id, email, language }).from(waitingList).where(idsIn(id, ids));
  const state = intent === "approve" ? "approved" : "declined";
  const items = await changeTogether(ids, {
    rows,
    nameOf: (row) => row.email,
    gone: "waiting-list:gone",
    change: async (some) => {
      const most = rowsAtOnce(services.plan, STATEMENTS_OF_A_DECISION);
      const outcomes = some.map(async (row, index): Promise<[string, BulkOutcome]> => {
        if (index >= most) return [row.id, "common:selection.rest"];
        const isDecided = await decide(services, actor, row, state);
        return [row.id, isDecided ? undefined : "waiting-list:gone"];
      });
      return new Map(await Promise.all(outcomes));
    },
    onFailure: (error) =>
      log("error", "waiting_list.not_decided", {
        request: actor.source.id,
        ...describeError(error),
      }),
  });
  return { done: DONE[state], words: WORDS, items };
}

/** Writes one decision with its audit event, and the mail of an approval. False when nothing changed. */
async function decide(
  { db, mailer, baseUrl, afterAnswer }: DecisionServices,
  actor: Actor,
  { id, email, language }: Request,
  state: Exclude<WaitingState, "waiting">,
): Promise<boolean> {
  const now = actor.source.now();
  const link = `${baseUrl}/login?${new URLSearchParams({ email })}`;
  const mail = await mailer.prepare(
    {
      recipient: email,
      language: isLanguage(language) ? language : "en",
      expiresAt: new Date(now.getTime() + MAIL_DAYS * DAY_MS),
      message: { kind: "request-approved", link },
    },
    now,
  );
  const { isChanged, mails } = await changeAndRecord(db, {
    change: db
      .update(waitingList)
      .set({ state, decidedAt: now, decidedBy: actor.actorId })
      .where(and(eq(waitingList.id, id), ne(waitingList.state, state))),
    event: eventBy(actor, `waiting_list.${state}`, {
      // Audit events outlive the request, and no erasure finds an e-mail without an account.
      details: { email: maskedEmail(email) },
    }),
    next: (isDecided) => ({ mails: state === "approved" ? [mail.ifChanged(isDecided)] : [] }),
  });
  afterAnswer(() => mail.send(mails.flat()));
  return isChanged;
}

/** Deletes requests that are a year old. */
export async function pruneWaitingList(db: Db, now: Date): Promise<void> {
  const isOld = lt(waitingList.createdAt, new Date(now.getTime() - KEPT_DAYS * DAY_MS));
  await db
    .delete(waitingList)
    .where(and(inArray(waitingList.state, ["waiting", "approved", "declined"]), isOld));
}
