import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { insertEvent } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { ask, type Read } from "../../db/read.server.ts";
import {
  account,
  accountCode,
  auditEvent,
  mailOutbox,
  passkey,
  refusingMailbox,
  session,
  user,
} from "../../db/schema/schema.ts";
import type { JsonMembers } from "../../http/json-stream.ts";
import { behind, inChunks } from "../../lists/query/page.server.ts";
import { type Actor, ownEvent } from "../audit/audit.server.ts";
import { selectOwnOrganizations } from "./organization-data.server.ts";

/** Members of the download that features add. */
type FeatureReads = Readonly<
  Record<string, (owner: { id: string; email: string }) => Read<unknown>>
>;

type Site = { baseUrl: string; product: string; features: FeatureReads };

type Owner = { id: string; email: string; canImpersonate: boolean };

/**
 * Returns all data about a user, as `docs/your-data.md` describes it, but no tokens, keys or codes. Data of other
 * people (e-mail, name, device) is left out. The download is recorded in the same batch as the first query, so that no
 * data is sent without a record.
 */
export async function exportOwnData(
  db: Db,
  { source }: Pick<Actor, "source">,
  { id, email, canImpersonate }: Owner,
  { baseUrl, product, features }: Site,
): Promise<JsonMembers> {
  const asked = Object.entries(features).map(
    ([name, read]) => [name, read({ id, email })] as const,
  );
  const { users, sessions, accounts, passkeys, codes, refusals, organizations, ofFeatures } =
    await readRows(db, source, { id, email }, Object.fromEntries(asked));
  const [row] = users;
  if (!row) throw new Error("The user of this download is gone");
  return {
    product,
    downloadedAt: source.now(),
    user: describeUser(row, baseUrl),
    preferences: { language: row.language, theme: row.theme },
    sessions: sessions.map(describeSession),
    accounts: accounts.map(describeAccount),
    passkeys: passkeys.map(describePasskey),
    ...ofFeatures,
    pendingCodes: codes.map(describeCode),
    ...organizations,
    mailboxRefusals: refusals.map(({ email: _, ...refusal }) => refusal),
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

/** Reads the rows about a user, and records the download in the same batch. */
async function readRows(
  db: Db,
  source: Actor["source"],
  { id, email }: Pick<Owner, "id" | "email">,
  reads: Readonly<Record<string, Read<unknown>>>,
) {
  const features = ask(db, reads);
  const organizationReads = selectOwnOrganizations(db, { id, email });
  // In a batch, columns with equal names of a joined row would become one column.
  const [, users, sessions, accounts, passkeys, codes, refusals, ...rest] = await db.batch([
    insertEvent(db, ownEvent(source, id, "user.data_downloaded")),
    db.select().from(user).where(eq(user.id, id)),
    db.select().from(session).where(eq(session.userId, id)).orderBy(desc(session.createdAt)),
    db.select().from(account).where(eq(account.userId, id)),
    db.select().from(passkey).where(eq(passkey.userId, id)),
    db.select().from(accountCode).where(eq(accountCode.userId, id)),
    db.select().from(refusingMailbox).where(eq(refusingMailbox.email, email)),
    ...organizationReads,
    ...features.statements,
  ]);
  const [organizations, invitations, sentInvitations, ...found] = rest;
  return {
    users,
    sessions,
    accounts,
    passkeys,
    codes,
    refusals,
    ofFeatures: features.results(found),
    organizations: {
      organizations,
      sentInvitations,
      invitations: invitations.map(({ isFromYou, ...one }) => ({
        ...one,
        isFromYou: isFromYou === 1,
      })),
    },
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
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

function describeSession(one: typeof session.$inferSelect) {
  return {
    id: one.id,
    isManagerActingAsYou: one.impersonatedBy !== null,
    ...ownOnly(one.impersonatedBy === null, {
      ipAddress: one.ipAddress,
      userAgent: one.userAgent,
      place: one.place,
    }),
    authenticatedAt: one.authenticatedAt,
    passkeyProvedAt: one.passkeyProvedAt,
    lastSeenAt: one.lastSeenAt,
    expiresAt: one.expiresAt,
    activeOrganizationId: one.activeOrganizationId,
    activeTeamId: one.activeTeamId,
    createdAt: one.createdAt,
    updatedAt: one.updatedAt,
  };
}

function describeAccount(one: typeof account.$inferSelect) {
  return {
    provider: one.providerId,
    accountId: one.accountId,
    email: one.email,
    scope: one.scope,
    createdAt: one.createdAt,
    updatedAt: one.updatedAt,
  };
}

function describePasskey(one: typeof passkey.$inferSelect) {
  return {
    name: one.name,
    deviceType: one.deviceType,
    backedUp: one.backedUp,
    transports: one.transports,
    aaguid: one.aaguid,
    createdAt: one.createdAt,
    lastUsedAt: one.lastUsedAt,
  };
}

function describeCode(one: typeof accountCode.$inferSelect) {
  return {
    purpose: one.purpose,
    email: one.email,
    newEmail: one.newEmail,
    provedEmail: one.provedEmail,
    provedAt: one.provedAt,
    tries: one.tries,
    sentAt: one.sentAt,
    expiresAt: one.expiresAt,
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
        return mail;
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
