import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import { member, user, verification } from "../../db/schema/schema.ts";
import { hashSecret } from "./client-secret.ts";
import { mayUse } from "./consents.server.ts";
import { storedList } from "./scopes.ts";
import {
  oauthClient,
  oauthClientResource,
  oauthConsent,
  oauthRefreshToken,
} from "./tables.server.ts";

// A token for another server is a JWT, of which no row is kept.

/**
 * Returns why an app gets no token for a server; undefined when it may. "unasked": it did not name
 * the server when its user was asked. The provider compares the two only when the app had named
 * another one. Source: RFC 8707, 2.2. "outsider": the user has left the app's organization, or it
 * was closed. For other tokens the database refuses their row.
 */
export async function findApiRefusal(
  db: Db,
  form: URLSearchParams,
): Promise<"unasked" | "outsider" | undefined> {
  const wanted = form.getAll("resource");
  if (wanted.length === 0) return undefined;
  const grant = await findGrant(db, form);
  if (!grant) return undefined;
  const asked = storedList(grant.resources ?? "[]");
  if (wanted.some((one) => !asked.includes(one))) return "unasked";
  return grant.mayUse ? undefined : "outsider";
}

/** Returns for which servers a code or a refresh token was given, and whether that still counts. */
async function findGrant(db: Db, form: URLSearchParams) {
  const [code, token] = [form.get("code"), form.get("refresh_token")];
  if (form.get("grant_type") === "authorization_code" && code) {
    const [row] = await db
      .select({
        resources: sql<string | null>`${verification.value} ->> 'resource'`,
        mayUse: sql<0 | 1>`${mayUse(
          sql`(${verification.value} ->> 'userId')`,
          sql`(${verification.value} -> 'query' ->> 'client_id')`,
        )}`,
      })
      .from(verification)
      .where(eq(verification.identifier, await hashSecret(code)));
    return row;
  }
  if (form.get("grant_type") !== "refresh_token" || !token) return undefined;
  const [row] = await db
    .select({
      resources: oauthRefreshToken.resources,
      mayUse: sql<0 | 1>`${mayUse(
        sql`${oauthRefreshToken.userId}`,
        sql`${oauthRefreshToken.clientId}`,
      )}`,
    })
    .from(oauthRefreshToken)
    .where(eq(oauthRefreshToken.token, await hashSecret(token)));
  return row;
}

const Claims = z.object({
  sub: z.string(),
  azp: z.string(),
  aud: z.union([z.string().transform((one) => [one]), z.array(z.string())]),
  sid: z.string().nullish(),
  organization: z.string().optional(),
});

/**
 * True when what a signed token was given for has ended. The provider has checked its signature, app
 * and session; with rows of its own, a token would have ended with the person, the membership and
 * the consent too. One that was given after its session had ended stands for a refresh token.
 */
export async function hasEnded(db: Db, token: string, userInfo: string): Promise<boolean> {
  const { sub, azp, aud, sid, organization } = Claims.parse(claimsOf(token));
  const refresh = sql`EXISTS (SELECT 1 FROM ${oauthRefreshToken} WHERE ${and(
    eq(oauthRefreshToken.userId, sub),
    eq(oauthRefreshToken.clientId, azp),
    isNull(oauthRefreshToken.revoked),
  )})`;
  const consent = sql`EXISTS (SELECT 1 FROM ${oauthConsent} WHERE ${and(
    eq(oauthConsent.userId, sub),
    eq(oauthConsent.clientId, azp),
  )})`;
  const isMember = sql`EXISTS (SELECT 1 FROM ${member} WHERE ${and(
    eq(member.userId, sub),
    eq(member.organizationId, organization ?? ""),
  )})`;
  const servers = JSON.stringify(aud.filter((one) => one !== userInfo));
  const areLinked = sql`NOT EXISTS (
    SELECT 1 FROM json_each(${servers}) WHERE value NOT IN (
      SELECT ${oauthClientResource.resourceId} FROM ${oauthClientResource}
      WHERE ${eq(oauthClientResource.clientId, azp)}
    )
  )`;
  const holds = and(
    eq(user.id, sub),
    eq(user.banned, false),
    isNull(user.deletionDueAt),
    typeof sid !== "string"
      ? refresh
      : sql`(${oauthClient.skipConsent} = 1 OR ${consent} OR ${refresh})`,
    organization === undefined ? undefined : isMember,
    mayUse(sub, azp),
    areLinked,
  );
  const [row] = await db
    .select({ id: user.id })
    .from(user)
    .innerJoin(oauthClient, eq(oauthClient.clientId, azp))
    .where(holds);
  return row === undefined;
}

function claimsOf(token: string): unknown {
  const [, payload = ""] = token.split(".");
  return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
}
