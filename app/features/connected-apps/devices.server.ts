import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import { countedRequest, ruleOf, secondsToWait } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import type { Keys } from "../../runtime/keys.server.ts";
import { type Actor, ownEvent } from "../audit/audit.server.ts";
import { consentRow, isClosed, isConsentOf, mayUse } from "./consents.server.ts";
import { DEVICE_CODE_LIMITS } from "./limits.ts";
import { storedScopes } from "./scopes.ts";
import { oauthClient, oauthConsent, oauthDeviceCode } from "./tables.server.ts";

/** A device that waits for a person's answer. */
export type WaitingDevice = {
  id: string;
  clientId: string;
  app: string;
  scopes: string[];
  place: string | null;
  userAgent: string | null;
  since: Date;
};

type Found =
  | { ok: true; device: WaitingDevice }
  | { ok: false; retryAfterSeconds: number | undefined };

/** Who has typed a code. */
type Asker = { userId: string; ipAddress: string | undefined; now: Date };

/** Returns the stored form of a code. It needs the key, so a reader of the table cannot try all codes. */
export function hashUserCode(keys: Keys, code: string): Promise<string> {
  return keys.mac("device-code", code);
}

/**
 * Finds the device that waits for a code. One that is not there, was used, refused, or has expired is
 * a guess; after too many of these no code is looked at for a while.
 */
export async function findWaitingDevice(
  { db, keys }: { db: Db; keys: Keys },
  code: string,
  { userId, ipAddress = "", now }: Asker,
): Promise<Found> {
  const isIt = and(eq(oauthDeviceCode.userCode, await hashUserCode(keys, code)), isWaiting(now));
  const isGuess = sql`NOT EXISTS (SELECT 1 FROM ${oauthDeviceCode} WHERE ${isIt})`;
  const rules = [
    ruleOf(DEVICE_CODE_LIMITS.wrongOfUser),
    ruleOf(DEVICE_CODE_LIMITS.wrongOfAddress),
  ] as const;
  const [ofUser, ofAddress] = await Promise.all([
    keys.mac("rate-limit", `device-code-user|${userId}`),
    keys.mac("rate-limit", `device-code-address|${ipAddress}`),
  ]);
  const byUser = countedRequest(db, ofUser, rules[0], now, isGuess);
  const byAddress = countedRequest(db, ofAddress, rules[1], now, isGuess);
  const [, [user], , [address], [row]] = await db.batch([
    byUser.count,
    byUser.read,
    byAddress.count,
    byAddress.read,
    db
      .select({
        id: sql<string>`${oauthDeviceCode.id}`.as("device_id"),
        clientId: sql<string>`${oauthDeviceCode.clientId}`.as("app_id"),
        app: sql<string>`${oauthClient.name}`.as("app_name"),
        scopes: sql<string>`${oauthDeviceCode.scopes}`.as("asked_scopes"),
        place: oauthDeviceCode.place,
        userAgent: oauthDeviceCode.userAgent,
        since: sql<number>`${oauthDeviceCode.createdAt}`.as("asked_at"),
      })
      .from(oauthDeviceCode)
      .innerJoin(oauthClient, eq(oauthClient.clientId, oauthDeviceCode.clientId))
      .where(and(isIt, byUser.isAllowed, byAddress.isAllowed)),
  ]);
  if (row) {
    const device = { ...row, scopes: storedScopes(row.scopes), since: new Date(row.since) };
    return { ok: true, device };
  }
  const retryAfterSeconds =
    secondsToWait(user, rules[0], now) ?? secondsToWait(address, rules[1], now);
  return { ok: false, retryAfterSeconds };
}

type Yes = {
  device: WaitingDevice;
  sessionId: string;
  /** When the person last proved who they are. */
  provedAt: Date;
  organizationId: string | undefined;
};

/**
 * Writes a person's yes to a device, and to its app in place of an earlier one. False when the device
 * no longer waits, or the person is no member of the app's organization any more.
 */
export async function allowDevice(
  db: Db,
  actor: Actor,
  { device, sessionId, provedAt, organizationId }: Yes,
): Promise<boolean> {
  const now = actor.source.now();
  const { actorId: userId } = actor;
  const consent = rowValues(
    oauthConsent,
    consentRow({
      userId,
      clientId: device.clientId,
      scopes: device.scopes,
      resources: [],
      organizationId,
      now,
    }),
  );
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(oauthDeviceCode)
      .set({
        status: "approved",
        userId,
        sessionId,
        referenceId: organizationId ?? null,
        authTime: provedAt,
      })
      .where(and(isOpen(device, now), mayUse(userId, device.clientId))),
    event: ownEvent(actor.source, userId, "app.connected", { name: device.app }),
    next: (isAllowed) => ({
      // In this order.
      consents: [
        db
          .delete(oauthConsent)
          .where(and(isConsentOf(userId, device.clientId), isAllowed.getSQL())),
        db.insert(oauthConsent).select(sql`SELECT ${consent} WHERE ${isAllowed}`),
      ],
    }),
  });
  return isChanged;
}

/** Writes a person's no. False when the device no longer waits. */
export async function refuseDevice(db: Db, device: WaitingDevice, now: Date): Promise<boolean> {
  const { meta } = await db
    .update(oauthDeviceCode)
    .set({ status: "denied" })
    .where(isOpen(device, now));
  return meta.changes > 0;
}

function isOpen({ id }: WaitingDevice, now: Date) {
  return and(eq(oauthDeviceCode.id, id), isWaiting(now));
}

function isWaiting(now: Date): SQL {
  const isOff = sql`EXISTS (SELECT 1 FROM ${oauthClient}
    WHERE ${oauthClient.clientId} = ${oauthDeviceCode.clientId} AND (${oauthClient.disabled} = 1 OR ${isClosed()}))`;
  return sql`${eq(oauthDeviceCode.status, "pending")} AND ${gt(oauthDeviceCode.expiresAt, now)} AND NOT ${isOff}`;
}
