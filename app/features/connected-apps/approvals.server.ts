import { and, desc, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import { href } from "react-router";
import { changeAndRecord } from "../../db/change.server.ts";
import { countedRequest, ruleOf, secondsToWait } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import type { Problem } from "../../http/problem.server.ts";
import { MINUTE_MS } from "../../values/time.ts";
import type { ProvedCall } from "../access/program.server.ts";
import { scopeOf } from "../access/scopes.ts";
import { THINGS } from "../access/things.ts";
import { type Actor, ownEvent } from "../audit/audit.server.ts";
import { hashSecret } from "./client-secret.ts";
import { API_LIMITS, APPROVAL_MINUTES } from "./limits.ts";
import { oauthApproval, oauthClient } from "./tables.server.ts";

/** Characters that a person is shown of what a call sends. */
const SHOWN_BODY = 5_000;
/** Characters of the path with its query. A call that is longer is refused: all of it must be shown. */
const SHOWN_PATH = 500;

/**
 * Returns why a call is not made yet: its user must approve it, within ten minutes, and the app then
 * sends it again, which uses the approval up. Errors: APPROVAL_NEEDED with the page for it,
 * APPROVAL_REFUSED, PAYLOAD_TOO_LARGE, TOO_MANY_REQUESTS.
 */
export async function approve(call: ProvedCall): Promise<Problem | undefined> {
  const { db, actor, holder } = call;
  if (!isShowable(call)) return { status: 413, code: "PAYLOAD_TOO_LARGE" };
  const now = actor.source.now();
  const callHash = await hashOf(call);
  const isCall = and(
    eq(oauthApproval.userId, holder.user.id),
    eq(oauthApproval.clientId, holder.by.id),
    eq(oauthApproval.callHash, callHash),
  );
  const isOpen = and(isCall, gt(oauthApproval.expiresAt, now));
  const [used, [known]] = await db.batch([
    db
      .update(oauthApproval)
      .set({ status: "used", expiresAt: now })
      .where(and(isOpen, eq(oauthApproval.status, "approved"))),
    db
      .select({ id: oauthApproval.id, status: oauthApproval.status })
      .from(oauthApproval)
      .where(isOpen),
  ]);
  if (used.meta.changes > 0) return undefined;
  if (known?.status === "refused") return { status: 403, code: "APPROVAL_REFUSED" };
  return known ? needed(call, known.id) : ask(call, callHash, isCall);
}

/** Writes down what the app wants to do, for its user to approve. */
async function ask(
  call: ProvedCall,
  callHash: string,
  isCall: SQL | undefined,
): Promise<Problem | undefined> {
  const { db, actor, holder, endpoint, request } = call;
  const now = actor.source.now();
  const scope = scopeOf(endpoint.act.permission);
  const limit = countedRequest(
    db,
    `app-approval|${holder.user.id}`,
    ruleOf(API_LIMITS.approvals),
    now,
  );
  const values = rowValues(oauthApproval, {
    id: crypto.randomUUID(),
    clientId: holder.by.id,
    userId: holder.user.id,
    callHash,
    scope,
    method: request.method,
    path: pathOf(call),
    body: bodyOf(call),
    title: titleOf(call),
    status: "pending",
    createdAt: now,
    expiresAt: new Date(now.getTime() + APPROVAL_MINUTES * MINUTE_MS),
  });
  const isOver = lte(oauthApproval.expiresAt, now);
  const {
    counted: [counted],
    made: [made],
  } = await changeAndRecord(db, {
    before: {
      count: limit.count,
      // What was not answered in time is of no use, also of other calls.
      gone: db.delete(oauthApproval).where(and(eq(oauthApproval.userId, holder.user.id), isOver)),
    },
    change: db
      .insert(oauthApproval)
      .select(sql`SELECT ${values} WHERE ${limit.isAllowed}`)
      .onConflictDoNothing(),
    event: ownEvent(actor.source, holder.user.id, "app.approval_asked", detailsOf(isCall)),
    after: {
      counted: limit.read,
      made: db.select({ id: oauthApproval.id }).from(oauthApproval).where(isCall),
    },
  });
  if (made) return needed(call, made.id);
  const retryAfterSeconds = secondsToWait(counted, ruleOf(API_LIMITS.approvals), now);
  return { status: 429, code: "TOO_MANY_REQUESTS", retryAfterSeconds };
}

function needed({ baseUrl }: ProvedCall, id: string): Problem {
  const approveAt = baseUrl + href("/app/account/apps/approvals/:approval", { approval: id });
  return { status: 403, code: "APPROVAL_NEEDED", more: { approveAt } };
}

function pathOf({ request }: ProvedCall): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}

function bodyOf({ body }: ProvedCall): string | null {
  return body === undefined ? null : JSON.stringify(body, null, 2);
}

function isShowable(call: ProvedCall): boolean {
  return pathOf(call).length <= SHOWN_PATH && (bodyOf(call)?.length ?? 0) <= SHOWN_BODY;
}

/** Binds an approval to exactly one call. */
function hashOf(call: ProvedCall): Promise<string> {
  const { method, headers } = call.request;
  return hashSecret(
    JSON.stringify([method, pathOf(call), headers.get("if-match"), call.body ?? null]),
  );
}

/** SQL expression: what the thing of a call is called now; NULL for one that has no name, or is not there. */
function titleOf({ endpoint, params }: ProvedCall): SQL<string | null> {
  const thing = THINGS[endpoint.act.permission[0]];
  if (!thing || params.id === undefined) return sql`NULL`;
  const { table, title } = thing;
  return sql`(SELECT ${sql.identifier(title)} FROM ${sql.identifier(table)} WHERE id = ${params.id})`;
}

/** SQL expression: what events say of an approval. */
function detailsOf(isIt: SQL | undefined): SQL<string> {
  const call = sql`${oauthApproval.method} || ' ' || ${oauthApproval.path}`;
  return sql`(SELECT json_object('name', ${oauthClient.name}, 'call', ${call}) FROM ${oauthApproval}
    JOIN ${oauthClient} ON ${oauthClient.clientId} = ${oauthApproval.clientId} WHERE ${isIt})`;
}

/** SQL condition: the call waits for a user's approval. */
export function isWaiting(userId: string, now: Date): SQL | undefined {
  const isPending = and(eq(oauthApproval.status, "pending"), gt(oauthApproval.expiresAt, now));
  return and(eq(oauthApproval.userId, userId), isPending);
}

/** Statement that finds the calls that wait for a user's approval, the newest first. */
export function selectApprovals(db: Db, userId: string, now: Date, id?: string) {
  return db
    .select({
      id: sql<string>`${oauthApproval.id}`.as("approval_id"),
      app: sql<string>`${oauthClient.name}`.as("asking_app"),
      scope: oauthApproval.scope,
      method: oauthApproval.method,
      path: oauthApproval.path,
      body: oauthApproval.body,
      title: oauthApproval.title,
      askedAt: sql<number>`${oauthApproval.createdAt}`.as("approval_asked_at"),
      expiresAt: sql<number>`${oauthApproval.expiresAt}`.as("approval_expires_at"),
    })
    .from(oauthApproval)
    .innerJoin(oauthClient, eq(oauthClient.clientId, oauthApproval.clientId))
    .where(and(isWaiting(userId, now), id === undefined ? undefined : eq(oauthApproval.id, id)))
    .orderBy(desc(oauthApproval.createdAt), desc(oauthApproval.id));
}

/** A call that waits for an approval. */
export type ShownApproval = Awaited<ReturnType<typeof selectApprovals>>[number];

const EVENTS = { approved: "app.approval_given", refused: "app.approval_refused" } as const;

/** Writes a person's answer to a call that waits for one. False when none waits any more. */
export async function answerApproval(
  db: Db,
  actor: Actor,
  id: string,
  answer: "approved" | "refused",
): Promise<boolean> {
  const { source, actorId: userId } = actor;
  const now = source.now();
  const isIt = and(eq(oauthApproval.id, id), eq(oauthApproval.userId, userId));
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(oauthApproval)
      .set({ status: answer })
      .where(and(isIt, isWaiting(userId, now))),
    event: ownEvent(source, userId, EVENTS[answer], detailsOf(isIt)),
  });
  return isChanged;
}
