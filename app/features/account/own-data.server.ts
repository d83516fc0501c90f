import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { insertEvent } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { ownRows } from "../../db/own-rows.server.ts";
import { ask, type Read } from "../../db/read.server.ts";
import {
  account,
  accountCode,
  auditEvent,
  mailOutbox,
  passkey,
  refusingMailbox,
  session,
  signInStep,
  user,
} from "../../db/schema/schema.ts";
import type { JsonMembers } from "../../http/json-stream.ts";
import { behind, inChunks } from "../../lists/query/page.server.ts";
import { type Actor, ownEvent } from "../audit/audit.server.ts";
import { ownOrganizations } from "./organization-data.server.ts";

/** Members of the download that features add. */
type FeatureReads = Readonly<
  Record<string, (owner: { id: string; email: string }) => Read<unknown>>
>;

type Site = { baseUrl: string; product: string; features: FeatureReads };

type Owner = {
  id: string;
  email: string;
  /** SQL condition: a row of `sign_in_step` is of the user's mailbox. */
  isOwnStep: SQL;
  canImpersonate: boolean;
};

/**
 * Returns all data about a user, as `docs/your-data.md` describes it, but no tokens, keys or codes. Data of other
 * people (e-mail, name, device) is left out. The download is recorded in the same batch as the first query, so that no
 * data is sent without a record.
 */
export async function exportOwnData(
  db: Db,
  { source }: Pick<Actor, "source">,
  { id, email, isOwnStep, canImpersonate }: Owner,
  { baseUrl, product, features }: Site,
): Promise<JsonMembers> {
  const asked = ask(db, rowsOf({ id, email, isOwnStep }, features));
  const [, [row], ...found] = await db.batch([
    insertEvent(db, ownEvent(source, id, "user.data_downloaded")),
    db.select().from(user).where(eq(user.id, id)),
    ...asked.statements,
  ]);
  if (!row) throw new Error("The user of this download is gone");
  return {
    product,
    downloadedAt: source.now(),
    user: describeUser(row, baseUrl),
    preferences: { language: row.language, theme: row.theme },
    ...asked.results(found),
    mails: listMails(db, email),
    eventsByYou: listEvents(db, id, eq(auditEvent.actorId, id)),
    eventsAboutYou: listEvents(
      db,
      id,
      and(
        eq(auditEvent.targetType, "user"),
        eq(auditEvent.targetId, id),
        sql`${auditEvent.actorId} IS NOT ${id}`,
      ),
    ),
    eventsInOthersNames: canImpersonate
      ? listEvents(db, id, eq(auditEvent.impersonatorId, id))
      : [],
    isComplete: true,
  };
}

/** The rows about a user, by their member of the file. */
function rowsOf(
  { id, email, isOwnStep }: Omit<Owner, "canImpersonate">,
  features: FeatureReads,
): Record<string, Read<unknown>> {
  const ofFeatures = Object.entries(features).map(([name, read]) => [name, read({ id, email })]);
  return {
    sessions: ownRows(session, {
      where: eq(session.userId, id),
      columns: [
        "id",
        "impersonatedBy",
        "ipAddress",
        "userAgent",
        "place",
        "authenticatedAt",
        "passkeyProvedAt",
        "provedBy",
        "lastSeenAt",
        "expiresAt",
        "activeOrganizationId",
        "activeTeamId",
        "createdAt",
        "updatedAt",
      ],
      order: desc(session.createdAt),
      show: ({ id: sessionId, impersonatedBy, ipAddress, userAgent, place, ...one }) => ({
        id: sessionId,
        isManagerActingAsYou: impersonatedBy !== null,
        ...ownOnly(impersonatedBy === null, { ipAddress, userAgent, place }),
        ...one,
      }),
    }),
    accounts: ownRows(account, {
      where: eq(account.userId, id),
      columns: ["providerId", "accountId", "email", "scope", "createdAt", "updatedAt"],
      show: ({ providerId, ...one }) => ({ provider: providerId, ...one }),
    }),
    passkeys: ownRows(passkey, {
      where: eq(passkey.userId, id),
      columns: [
        "name",
        "deviceType",
        "backedUp",
        "transports",
        "aaguid",
        "createdAt",
        "lastUsedAt",
      ],
    }),
    ...Object.fromEntries(ofFeatures),
    pendingCodes: ownRows(accountCode, {
      where: eq(accountCode.userId, id),
      columns: [
        "purpose",
        "email",
        "newEmail",
        "provedEmail",
        "provedAt",
        "tries",
        "sentAt",
        "expiresAt",
      ],
    }),
    ...ownOrganizations({ id, email }),
    // Where a step came from is left out: a stranger may have asked for a code, or entered one.
    signInSteps: ownRows(signInStep, {
      where: isOwnStep,
      columns: ["outcome", "count", "firstAt", "lastAt"],
      order: desc(signInStep.lastAt),
    }),
    mailboxRefusals: ownRows(refusingMailbox, {
      where: eq(refusingMailbox.email, email),
      columns: ["reason", "note", "since", "allowedAt"],
    }),
  };
}

function describeUser(row: typeof user.$inferSelect, baseUrl: string) {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    emailVerified: row.emailVerified,
    picture: row.avatar && `${baseUrl}/avatars/${row.avatar}`,
    providerPicture: row.image,
    role: row.role,
    wasAddedByManager: row.createdBy !== null && row.createdBy !== row.id,
    banned: row.banned,
    banReason: row.banReason,
    banExpires: row.banExpires,
    onboardedAt: row.onboardedAt,
    lastSeenAt: row.lastSeenAt,
    deletionDueAt: row.deletionDueAt,
    erasureTriedAt: row.erasureTriedAt,
    lastOrganizationId: row.lastOrganizationId,
    termsVersion: row.termsVersion,
    termsAcceptedAt: row.termsAcceptedAt,
    passkeyReleaseUntil: row.passkeyReleaseUntil,
    devicesSince: row.devicesSince,
    invitation: row.invitation,
    entryLink: row.entryLink,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Returns the values when they are the user's own; otherwise null for each. */
function ownOnly<T extends Record<string, unknown>>(isOwn: boolean, values: T) {
  const nothing = Object.keys(values).map((name) => [name, null]);
  return isOwn ? values : (Object.fromEntries(nothing) as Record<keyof T, null>);
}

async function* listMails(db: Db, email: string) {
  const newest = { by: mailOutbox.createdAt, direction: "desc" } as const;
  yield* inChunks(
    async (after, limit) => {
      const rows = await db
        .select()
        .from(mailOutbox)
        .where(and(eq(mailOutbox.recipient, email), behind(newest, mailOutbox.id, after)))
        .orderBy(desc(mailOutbox.createdAt), desc(mailOutbox.id))
        .limit(limit);
      return rows.map((row) => {
        const { payload, nextTryAt, providerId, lastError, ...known } = row;
        const { lane, asked, askedNear, causedBy, ...mail } = known;
        // These describe the client that asked for the code, which may be a stranger's.
        const { askedIpAddress, askedUserAgent, askedPlace, askedRequestId, ...told } = mail;
        return told;
      });
    },
    ({ createdAt }) => createdAt.getTime(),
  );
}

async function* listEvents(db: Db, id: string, which: SQL | undefined) {
  const newest = { by: auditEvent.createdAt, direction: "desc" } as const;
  yield* inChunks(
    async (after, limit) => {
      const rows = await db
        .select()
        .from(auditEvent)
        .where(and(which, behind(newest, auditEvent.id, after)))
        .orderBy(desc(auditEvent.createdAt), desc(auditEvent.id))
        .limit(limit);
      return rows.map((row) => {
        const isAboutYou = row.targetType === "user" && row.targetId === id;
        const isAboutNobody = row.targetType !== "user";
        const isByYou =
          row.impersonatorId === null ? row.actorId === id : row.impersonatorId === id;
        return {
          id: row.id,
          action: row.action,
          isByYou,
          isManagerActingAsYou: row.actorId === id && row.impersonatorId !== null,
          targetType: row.targetType,
          targetId: row.targetId,
          ...ownOnly(isAboutYou || isAboutNobody, { details: row.details }),
          ...ownOnly(isByYou, {
            ipAddress: row.ipAddress,
            userAgent: row.userAgent,
            place: row.place,
          }),
          requestId: row.requestId,
          createdAt: row.createdAt,
        };
      });
    },
    ({ createdAt }) => createdAt.getTime(),
  );
}
