import { and, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { changeAndRecord } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { passkey, session, user } from "../../../db/schema/schema.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { ownEvent } from "../../audit/audit.server.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import { preparePromotionMail, promotion } from "./first-admin.server.ts";
import type { createDevices } from "./new-device.server.ts";
import type { Confirmation, GatewayScope, PasskeySignIn, SignedIn } from "./scope.server.ts";

type Options = {
  db: Db;
  mailer: Pick<Mailer, "prepareForUsers">;
  baseUrl: string;
  adminEmails: string[];
  devices: Pick<ReturnType<typeof createDevices>, "prepareNews">;
};

/**
 * Writes what follows a sign-in, in one batch after better-auth has made the session: the promotion
 * of an admin with its mail, when the user was last seen, the use of the passkey, the mail about a
 * new device, and the step of a sign-in by code. If it fails, the person is signed in without them,
 * and the next sign-in promotes. Returns the user as it is then.
 */
export async function recordSignIn(
  options: Options,
  scope: GatewayScope,
  signedIn: SignedIn,
  step?: BatchItem<"sqlite">,
): Promise<SignedIn> {
  const { db, adminEmails, devices } = options;
  const { request, subject } = scope;
  const now = request.now();
  try {
    const isNew = "isNew" in subject && subject.isNew;
    // A new account has no role that was changed.
    const isToldOfRole = signedIn.isPromoted && !isNew;
    const mails = [
      await devices.prepareNews(scope, signedIn),
      isToldOfRole ? await preparePromotionMail(options, scope, signedIn) : undefined,
    ].filter((mail) => mail !== undefined);
    const statements: BatchItem<"sqlite">[] = [
      ...mails.map(({ statement }) => statement),
      ...(signedIn.isPromoted ? promotion(db, request, signedIn.id, adminEmails) : []),
      ...(isNew ? [] : [db.update(user).set({ lastSeenAt: now }).where(eq(user.id, signedIn.id))]),
      ...(subject.type === "passkey" ? [usedPasskey(db, subject, now)] : []),
      ...(step ? [step] : []),
    ];
    const [first, ...rest] = statements;
    if (!first) return signedIn;
    const written = await db.batch([first, ...rest]);
    for (const [at, { send }] of mails.entries()) {
      const rows = written[at];
      request.afterAnswer(() => send(Array.isArray(rows) ? rows : []));
    }
    return signedIn;
  } catch (error) {
    log("error", "auth.sign_in_not_recorded", { request: request.id, ...describeError(error) });
    return { ...signedIn, role: signedIn.roleBefore };
  }
}

/**
 * Records that a passkey has proven a session of its user, in one batch. False when the session has
 * ended or the passkey was removed meanwhile.
 */
export async function recordConfirmation(
  db: Db,
  { request }: Pick<GatewayScope, "request">,
  use: Confirmation,
): Promise<boolean> {
  const { sessionId, userId } = use.confirms;
  const now = request.now();
  const isHeld = sql`EXISTS (SELECT 1 FROM ${passkey} WHERE ${passkey.id} = ${use.id ?? null})`;
  const isTheirs = and(eq(session.id, sessionId), eq(session.userId, userId), isHeld);
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(session)
      .set({
        authenticatedAt: now,
        passkeyProvedAt: now,
        passkeyProvedBy: use.id ?? null,
        provedBy: "passkey",
      })
      .where(isTheirs),
    event: ownEvent(request, userId, "session.confirmed"),
    after: { used: usedPasskey(db, use, now) },
  });
  return isChanged;
}

function usedPasskey(db: Db, { id, isBackedUp }: PasskeySignIn | Confirmation, now: Date) {
  return db
    .update(passkey)
    .set({ lastUsedAt: now, ...(isBackedUp !== undefined && { backedUp: isBackedUp }) })
    .where(eq(passkey.id, id ?? ""));
}
