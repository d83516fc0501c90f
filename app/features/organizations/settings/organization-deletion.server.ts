import { and, eq, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { href } from "react-router";
import { changeAndRecord } from "../../../db/change.server.ts";
import { invitation, member, organization, user } from "../../../db/schema/schema.ts";
import type { Language } from "../../../i18n/languages.ts";
import { ORGANIZATION_GRACE_DAYS } from "../../../values/limits.ts";
import { DAY_MS } from "../../../values/time.ts";
import { rolesThatCan } from "../../access/organization-permissions.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import {
  eventIn,
  findRefusal,
  idOf,
  isAllowed,
  isKey,
  type OrganizationCall,
  type Refusal,
  refuse,
  type Standing,
  selectStanding,
} from "../standing.server.ts";
import { countedDeletion } from "./change-limits.server.ts";

const DELETE = ["organization", "delete"] as const;

export type DeletionServices = {
  mailer: Pick<Mailer, "prepare">;
  baseUrl: string;
  /** The actor's language, for recipients without a saved language. */
  language: Language;
  /** Starts work after the answer is sent. */
  afterAnswer: (work: () => Promise<unknown>) => void;
};

/**
 * Starts the grace period of an organization. Members still see it, and nothing in it can change. Open invitations are
 * cancelled; the first time in a day the actor and every owner get a mail. Errors: WRONG_ORGANIZATION_NAME when another
 * name was typed, CONFLICT when the organization was renamed meanwhile, TOO_MANY_REQUESTS when its members have started
 * deletions too often, and those of `findRefusal`.
 */
export async function startOrganizationDeletion(
  call: OrganizationCall,
  services: DeletionServices,
  typedName: string,
): Promise<{ ok: true; dueAt: Date } | Refusal> {
  const { db, actor, key, as } = call;
  const [[standing], readers] = await db.batch([selectStanding(call), selectReaders(call)]);
  const refusal = findRefusal(standing, DELETE, as);
  if (refusal || !standing) return refusal ?? refuse("ORGANIZATION_NOT_FOUND");
  if (comparable(typedName) !== comparable(standing.name)) return refuse("WRONG_ORGANIZATION_NAME");
  const now = actor.source.now();
  const isNamed = isAllowed(call, DELETE, eq(organization.name, standing.name));
  const dueAt = new Date(now.getTime() + ORGANIZATION_GRACE_DAYS * DAY_MS);
  const limit = countedDeletion(db, sql<string>`'deletion|' || ${idOf(key)}`, now, isNamed);
  const mails = await Promise.all(
    readers.map(({ email }) =>
      prepareMail(services, standing, email, {
        dueAt,
        now,
        causedBy: as === "manager" ? null : actor.actorId,
        condition: limit.isFirst,
      }),
    ),
  );
  const {
    isChanged,
    written,
    found: [after],
    limited: [limited],
  } = await changeAndRecord(db, {
    before: { counted: limit.count },
    change: db
      .update(organization)
      .set({ deletionDueAt: dueAt, updatedAt: now })
      .where(and(isKey(key), isNamed, as === "manager" ? undefined : limit.isAllowed)),
    event: eventIn(call, "organization.deletion_started", { dueAt: dueAt.toISOString() }),
    next: (isStarted) => ({
      invitations: db
        .update(invitation)
        .set({ status: "canceled", answeredAt: now })
        .where(
          and(
            eq(invitation.organizationId, idOf(key)),
            eq(invitation.status, "pending"),
            isStarted,
          ),
        ),
      written: mails.map((mail) => mail.ifChanged(isStarted)),
    }),
    after: {
      found: selectStanding(call),
      limited: db
        .select({ isSpent: sql<0 | 1>`NOT ${limit.isAllowed}`.as("is_spent") })
        .from(sql`(SELECT 1)`),
    },
  });
  if (!isChanged) {
    const refused = findRefusal(after, DELETE, as);
    return refused ?? refuse(limited?.isSpent ? "TOO_MANY_REQUESTS" : "CONFLICT");
  }
  services.afterAnswer(async () => {
    for (const [at, mail] of mails.entries()) await mail.send(written[at] ?? []);
  });
  return { ok: true, dueAt };
}

/**
 * Cancels the deletion; does nothing without one. Errors: ORGANIZATION_NOT_FOUND and
 * YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION.
 */
export async function restoreOrganization(call: OrganizationCall): Promise<{ ok: true } | Refusal> {
  const { db, actor, key, as } = call;
  const {
    isChanged,
    found: [standing],
  } = await changeAndRecord(db, {
    change: db
      .update(organization)
      .set({ deletionDueAt: null, updatedAt: actor.source.now() })
      .where(and(isKey(key), isNotNull(organization.deletionDueAt), mayRestore(call))),
    event: eventIn(call, "organization.deletion_cancelled"),
    after: { found: selectStanding(call) },
  });
  if (isChanged) return { ok: true };
  // A restore is possible while the organization is being deleted, and while it is disabled.
  const open = standing && { ...standing, deletionDueAt: null, disabledAt: null };
  return findRefusal(open, DELETE, as) ?? { ok: true };
}

/** SQL condition: a manager, or a member who may delete the organization. `isAllowed` refuses during a deletion. */
function mayRestore({ actor, as, key }: OrganizationCall): SQL | undefined {
  if (as === "manager") return undefined;
  return sql`EXISTS (SELECT 1 FROM ${member} WHERE ${and(
    eq(member.organizationId, idOf(key)),
    eq(member.userId, actor.actorId),
    inArray(member.role, rolesThatCan(DELETE)),
  )})`;
}

/** Statement for the recipients of the mail: the owners and the actor. */
function selectReaders({ db, key, actor }: OrganizationCall) {
  const owners = db
    .select({ id: member.userId })
    .from(member)
    .where(and(eq(member.organizationId, idOf(key)), eq(member.role, "owner")));
  return db
    .select({ email: user.email })
    .from(user)
    .where(or(eq(user.id, actor.actorId), inArray(user.id, owners)));
}

function prepareMail(
  { mailer, baseUrl, language }: DeletionServices,
  { name, slug }: Standing,
  recipient: string,
  {
    dueAt,
    now,
    causedBy,
    condition,
  }: { dueAt: Date; now: Date; causedBy: string | null; condition: SQL },
) {
  const message = {
    kind: "organization-deletion-started",
    organization: name,
    dueAt: dueAt.toISOString(),
    link: `${baseUrl}${href("/app/organizations/:slug/settings", { slug })}`,
  } as const;
  const mail = { recipient, language, expiresAt: dueAt, message, causedBy };
  return mailer.prepare(mail, now, "anyone", condition);
}

/** Returns a name without what the eye does not see: spaces around it, and how its letters are composed. */
function comparable(name: string): string {
  return name.trim().normalize("NFC");
}
