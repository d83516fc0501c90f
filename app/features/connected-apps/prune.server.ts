import { inArray, lt, or, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/db.server.ts";
import { DAY_MS, HOUR_MS } from "../../values/time.ts";
import { jwks, oauthAccessToken, oauthDeviceCode, oauthRefreshToken } from "./tables.server.ts";

/** Rows that one statement deletes. The next hour deletes the rest. */
const PRUNED_AT_ONCE = 20_000;

/**
 * How long a refresh token is known after its one use. An app that sends it again in that time has
 * lost it to somebody, and the plugin ends all tokens of this user and app. Access tokens that were
 * made with it go with it, and have ended long before.
 */
const REUSE_KNOWN_MS = 7 * DAY_MS;

/** How long a key is kept after it has signed its last token. */
const KEY_KEPT_MS = 30 * DAY_MS;

/** For this long a device is told that its code has expired. Later the code is unknown. */
const EXPIRED_CODE_KEPT_MS = HOUR_MS;

/** Deletes tokens, codes and keys that have ended. */
export async function pruneTokens(db: Db, now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const { revoked, expiresAt } = oauthRefreshToken;
  await db.batch([
    prune(db, oauthAccessToken, lt(oauthAccessToken.expiresAt, now)),
    prune(db, oauthRefreshToken, or(lt(expiresAt, now), lt(revoked, ago(REUSE_KNOWN_MS)))),
    prune(db, oauthDeviceCode, lt(oauthDeviceCode.expiresAt, ago(EXPIRED_CODE_KEPT_MS))),
    // A few a year.
    db.delete(jwks).where(lt(jwks.expiresAt, ago(KEY_KEPT_MS))),
  ]);
}

function prune(db: Db, table: SQLiteTable & { id: SQLiteColumn }, hasEnded: SQL | undefined) {
  const ended = db.select({ id: table.id }).from(table).where(hasEnded).limit(PRUNED_AT_ONCE);
  return db.delete(table).where(inArray(table.id, ended));
}
