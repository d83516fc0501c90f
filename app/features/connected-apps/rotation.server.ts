import { and, eq, gt, isNotNull, isNull, lte } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { hashSecret } from "./client-secret.ts";
import { oauthRefreshToken } from "./tables.server.ts";

/** Longer than a call waits for the database. */
export const IN_FLIGHT_SECONDS = 15;

/**
 * Mends a refresh token whose rotation was broken off by a fault of the database: the provider
 * writes in three steps, and would take the app's next try for a theft, which ends its access.
 * Returns true while the first call may still be at work.
 */
export async function mendRotation(db: Db, token: string, now: Date): Promise<boolean> {
  const hash = await hashSecret(token);
  const since = new Date(now.getTime() - IN_FLIGHT_SECONDS * 1_000);
  const isBroken = and(
    eq(oauthRefreshToken.token, hash),
    isNotNull(oauthRefreshToken.revoked),
    isNull(oauthRefreshToken.rotationReplayResponse),
    gt(oauthRefreshToken.rotationReplayExpiresAt, now),
  );
  const [, inFlight] = await db.batch([
    db
      .update(oauthRefreshToken)
      .set({ revoked: null, rotatedAt: null, rotationReplayExpiresAt: null })
      .where(and(isBroken, lte(oauthRefreshToken.rotatedAt, since))),
    db.select({ id: oauthRefreshToken.id }).from(oauthRefreshToken).where(isBroken),
  ]);
  return inFlight.length > 0;
}
