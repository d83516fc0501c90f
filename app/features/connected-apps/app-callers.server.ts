import { and, eq, gt, isNull, not, or, sql } from "drizzle-orm";
import { isBannedAt } from "../../db/ban.ts";
import { countedRequest, ruleOf, secondsToWait } from "../../db/counted-request.ts";
import { session, user } from "../../db/schema/schema.ts";
import type { Problem } from "../../http/problem.server.ts";
import { mayCall, ownerColumns, ownerOf, refusalOfOwner } from "../access/caller.server.ts";
import type { AppCallers, LookupOptions } from "../access/program.server.ts";
import { permissionsOf, scopeOf } from "../access/scopes.ts";
import { approve } from "./approvals.server.ts";
import { hashSecret } from "./client-secret.ts";
import { API_LIMITS } from "./limits.ts";
import { PROVIDER } from "./provider-paths.ts";
import { isCallScope, storedScopes } from "./scopes.ts";
import { oauthAccessToken, oauthClient } from "./tables.server.ts";

/** Access tokens as the provider makes them. No key of the API looks so. */
const TOKEN = /^Bearer +([A-Za-z]{32})$/i;

/** How the API knows apps: by the access tokens of the provider, which end with all that ends tokens. */
export const appCallers: AppCallers = {
  discovery: PROVIDER.openId,
  errors: [
    [401, "INVALID_APP_TOKEN"],
    [403, "APP_LACKS_PERMISSION"],
    [403, "APPROVAL_NEEDED"],
    [403, "APPROVAL_REFUSED"],
  ],
  isKnown: (request) => tokenOf(request) !== undefined,
  findHolder,
  refusalOf: (holder, call) => {
    if (mayCall(holder, call)) return undefined;
    const scope = scopeOf(call.act.permission);
    // RFC 6750, 3.1
    const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
    return {
      status: 403,
      code: "APP_LACKS_PERMISSION",
      headers: { "WWW-Authenticate": challenge },
      more: { scope },
    };
  },
  approve,
};

function tokenOf({ headers }: Request): string | undefined {
  return TOKEN.exec(headers.get("authorization") ?? "")?.[1];
}

const INVALID = {
  status: 401,
  code: "INVALID_APP_TOKEN",
  headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
} as const;

/**
 * Returns the user of an app's token, in one round trip to the primary. The user's permissions are
 * read now; the token says which of them the app has. A token that is unknown or has ended, or whose
 * user is banned or being deleted, has one answer: INVALID_APP_TOKEN. Further errors: NOT_ONBOARDED,
 * TERMS_NOT_ACCEPTED, TOO_MANY_REQUESTS.
 */
async function findHolder(
  request: Request,
  { db, adminEmails, now, termsVersion }: LookupOptions,
): ReturnType<AppCallers["findHolder"]> {
  const token = tokenOf(request);
  const isToken = and(
    eq(oauthAccessToken.token, await hashSecret(token ?? "")),
    gt(oauthAccessToken.expiresAt, now),
    isNull(oauthAccessToken.revoked),
  );
  const rule = ruleOf(API_LIMITS.calls);
  const ofToken = sql`FROM ${oauthAccessToken} WHERE ${isToken}`;
  const { count, read } = countedRequest(
    db,
    sql<string>`(SELECT 'app-call|' || ${oauthAccessToken.clientId} || '|' || ${oauthAccessToken.userId} ${ofToken})`,
    rule,
    now,
    sql`EXISTS (SELECT 1 ${ofToken})`,
  );
  const [, [counted], [row]] = await db.batch([
    count,
    read,
    db
      .select({
        clientId: sql<string>`${oauthClient.clientId}`.as("app_id"),
        scopes: sql<string>`${oauthAccessToken.scopes}`.as("given_scopes"),
        allowed: sql<string>`${oauthClient.scopes}`.as("allowed_scopes"),
        ...ownerColumns({ termsVersion }, sql`${session.passkeyProvedBy}`),
      })
      .from(oauthAccessToken)
      .innerJoin(oauthClient, eq(oauthClient.clientId, oauthAccessToken.clientId))
      .innerJoin(user, eq(user.id, oauthAccessToken.userId))
      .leftJoin(session, eq(session.id, oauthAccessToken.sessionId))
      .where(
        and(
          isToken,
          eq(oauthClient.disabled, false),
          not(isBannedAt(now)),
          or(isNull(oauthAccessToken.sessionId), gt(session.expiresAt, now)),
        ),
      ),
  ]);
  if (!row || row.deletionDueAt || !row.emailVerified) return { ok: false, ...INVALID };
  const retryAfterSeconds = secondsToWait(counted, rule, now);
  const refusal: Problem | undefined = retryAfterSeconds
    ? { status: 429, code: "TOO_MANY_REQUESTS", retryAfterSeconds }
    : refusalOfOwner(row);
  if (refusal) return { ok: false, ...refusal };
  const allowed = storedScopes(row.allowed);
  const scopes = storedScopes(row.scopes).filter((scope) => allowed.includes(scope));
  return {
    ok: true,
    holder: {
      by: { type: "app", id: row.clientId },
      permissions: permissionsOf(scopes.filter(isCallScope)),
      user: ownerOf(row, { adminEmails, now }),
      knows: { name: scopes.includes("profile"), email: scopes.includes("email") },
      organization: null,
    },
  };
}
