import { gt, isNull, or } from "drizzle-orm";
import type { JSONWebKeySet } from "jose";
import type { Db } from "../../db/db.server.ts";
import { DAY_MS } from "../../values/time.ts";
import { jwks } from "./tables.server.ts";

/** A key signs for this long. */
export const KEY_DAYS = 90;
/** Longer than anything that it has signed is valid, so that both are known while one takes over. */
export const KEY_GRACE_DAYS = 7;

/** Statement that reads the keys whose signatures count. */
export function selectKeys(db: Db, now: Date) {
  const since = new Date(now.getTime() - KEY_GRACE_DAYS * DAY_MS);
  return db
    .select({ id: jwks.id, publicKey: jwks.publicKey, alg: jwks.alg })
    .from(jwks)
    .where(or(isNull(jwks.expiresAt), gt(jwks.expiresAt, since)));
}

/** Returns keys as clients read them. Source: RFC 7517, 5. */
export function keySetOf(rows: Awaited<ReturnType<typeof selectKeys>>): JSONWebKeySet {
  return {
    keys: rows.map(({ id, publicKey, alg }) => ({
      ...JSON.parse(publicKey),
      kid: id,
      alg: alg ?? "RS256",
      use: "sig",
    })),
  };
}
