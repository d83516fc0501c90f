import { and, asc, eq, gt, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import { changeAndRecord } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { rowValues } from "../../../db/row-values.ts";
import { invitation, member, user } from "../../../db/schema/schema.ts";
import type { Language } from "../../../i18n/languages.ts";
import { INVITATION_LIMITS, NEW_ACCOUNT_MS, type RateLimit } from "../../../values/rate-limits.ts";
import { DAY_MS } from "../../../values/time.ts";
import { needsProof } from "../../access/proof.ts";
import type { OrganizationRole } from "../../access/role-names.ts";
import type { Actor } from "../../audit/audit.server.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import { actOfInvitation } from "../acts.ts";
import { isByOwner } from "../members/member-commands.server.ts";
import { INVITATION_DAYS, MAX_SENDS, RESEND_SECONDS } from "../organization-limits.ts";
import {
  attempt,
  eventIn,
  findRefusal,
  idOf,
  isAllowed,
  type OrganizationCall,
  type Refusal,
  refuse,
  type Standing,
  selectStanding,
} from "../standing.server.ts";
import { isShownTo } from "./shown-invitation.server.ts";

export type InvitationServices = {
  db: Db;
  mailer: Pick<Mailer, "prepare">;
  baseUrl: string;
  sender: string;
  /** The inviter's language, for people without an account. */
  language: Language;
  /** Starts work after the answer is sent. */
  afterAnswer: (work: () => Promise<unknown>) => void;
};

export type InvitationInput = { email: string; role: OrganizationRole; teamId?: string };

/**
 * Finds the organization and the actor's role, to refuse before anything is prepared. Errors: those of `findRefusal`.
 */
export async function findInviter(
  call: OrganizationCall,
): Promise<{ ok: true; standing: Standing } | Refusal> {
  const [standing] = await selectStanding(call);
  const refusal = findRefusal(standing, ["invitation", "create"], call.as);
  if (refusal) return refusal;
  return standing ? { ok: true, standing } : refuse("ORGANIZATION_NOT_FOUND");
}

/**
 * Invites an e-mail, with or without an account. An earlier invitation that has expired is replaced. The mail is
 * written in the same batch. Errors: USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION,
 * USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION, YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE,
 * INVITATION_LIMIT_REACHED, those that features' triggers raise, and those of `findRefusal`.
 */
export async function invite(
  call: OrganizationCall,
  services: InvitationServices,
  organizationName: string,
  { email, role, teamId }: InvitationInput,
): Promise<{ ok: true; id: string; createdAt: Date; expiresAt: Date } | Refusal> {
  const { db, actor, key, as } = call;
  const permission = ["invitation", "create"] as const;
  const id = crypto.randomUUID();
  const now = actor.source.now();
  const expiresAt = expiryOf(now);
  const values = rowValues(invitation, {
    id,
    email,
    role,
    teamId: teamId ?? null,
    status: "pending",
    expiresAt,
    sends: 1,
    organizationId: idOf(key),
    inviterId: actor.actorId,
    createdAt: now,
    sentAt: now,
    answeredAt: null,
    memberId: null,
    handsOver: false,
  });
  const isInvited = and(
    eq(invitation.organizationId, idOf(key)),
    eq(invitation.email, email),
    eq(invitation.status, "pending"),
  );
  const joined = db
    .select({ id: member.id })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(and(eq(member.organizationId, idOf(key)), eq(user.email, email)));
  const isPossible = and(
    isAllowed(call, permission),
    role === "owner" ? isByOwner(call) : undefined,
    sql`NOT EXISTS ${joined}`,
    hasInvitationRoom(actor.actorId, email, now),
  );
  const room = db
    .select({ isLeft: hasInvitationRoom(actor.actorId, email, now).mapWith(Boolean) })
    .from(user)
    .where(eq(user.id, actor.actorId));
  const invited = { id, email, role, organizationName, actor, isOffer: false, handsOver: false };
  const mail = await prepareInvitationMail(services, invited);
  return attempt(async () => {
    const { isChanged, rows, ...found } = await changeAndRecord(db, {
      before: {
        expired: db
          .update(invitation)
          .set({ status: "canceled", answeredAt: now })
          .where(and(isInvited, lte(invitation.expiresAt, now), isAllowed(call, permission))),
      },
      change: db.insert(invitation).select(sql`SELECT ${values} WHERE ${isPossible}`),
      event: eventIn(call, "invitation.sent", { invitation: id, role }),
      next: (isSent) => ({ rows: mail.ifChanged(isSent) }),
      after: { standings: selectStanding(call), members: joined, room },
    });
    if (isChanged) {
      services.afterAnswer(() => mail.send(rows));
      return { ok: true, id, createdAt: now, expiresAt };
    }
    const refusal = findRefusal(found.standings[0], permission, as);
    if (refusal) return refusal;
    if (found.members.length > 0) return refuse("USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION");
    if (!found.room[0]?.isLeft) return refuse("INVITATION_LIMIT_REACHED");
    return refuse("YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE");
  });
}

/**
 * Sends an open or expired invitation again, with the time of a new one. The sender becomes its inviter. Only the owner
 * who hands ownership over may send that offer again. `isProved`: the actor has a fresh proof. Errors:
 * INVITATION_NOT_FOUND, SESSION_EXPIRED for a role above member without a proof, TOO_MANY_REQUESTS within a minute,
 * INVITATION_SENT_TOO_OFTEN from the sixth mail on, YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE and those of
 * `findRefusal`.
 */
export async function resendInvitation(
  call: OrganizationCall,
  services: InvitationServices,
  { id, isProved }: { id: string; isProved: boolean },
): Promise<{ ok: true; invitation: typeof invitation.$inferSelect } | Refusal> {
  const { db, actor, as } = call;
  const permission = ["invitation", "create"] as const;
  const now = actor.source.now();
  const [[standing], [found]] = await db.batch([
    selectStanding(call),
    db.select().from(invitation).where(isInvitation(call, id)),
  ]);
  const refusal = findRefusal(standing, permission, as);
  if (refusal || !standing) return refusal ?? refuse("ORGANIZATION_NOT_FOUND");
  if (!found) return refuse("INVITATION_NOT_FOUND");
  const { email } = found;
  const role = found.role ?? "member";
  if (!isProved && needsProof(actOfInvitation(role))) return refuse("SESSION_EXPIRED");
  const offer = { isOffer: found.memberId !== null, handsOver: found.handsOver };
  const latest = new Date(now.getTime() - RESEND_SECONDS * 1_000);
  const mail = await prepareInvitationMail(services, {
    id,
    email,
    role,
    actor,
    ...offer,
    organizationName: standing.name,
  });
  return attempt(async () => {
    const {
      changed: [sent],
      rows,
    } = await changeAndRecord(db, {
      change: db
        .update(invitation)
        .set({
          sentAt: now,
          expiresAt: expiryOf(now),
          inviterId: actor.actorId,
          sends: sql`${invitation.sends} + 1`,
        })
        .where(
          and(
            isInvitation(call, id),
            lte(invitation.sentAt, latest),
            lt(invitation.sends, MAX_SENDS),
            isAllowed(call, permission),
            role === "owner" ? isByOwner(call) : undefined,
            or(eq(invitation.handsOver, false), eq(invitation.inviterId, actor.actorId)),
          ),
        )
        .returning(),
      event: eventIn(call, "invitation.resent", { invitation: id }),
      next: (isSent) => ({ rows: mail.ifChanged(isSent) }),
    });
    if (sent) {
      services.afterAnswer(() => mail.send(rows));
      return { ok: true, invitation: sent };
    }
    if (found.sends >= MAX_SENDS) return refuse("INVITATION_SENT_TOO_OFTEN");
    if (found.sentAt > latest) {
      const waitMs = found.sentAt.getTime() - latest.getTime();
      return { ...refuse("TOO_MANY_REQUESTS"), retryAfterSeconds: Math.ceil(waitMs / 1_000) };
    }
    return refuse("YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE");
  });
}

/** Cancels an open or expired invitation. Errors: INVITATION_NOT_FOUND and those of `findRefusal`. */
export async function cancelInvitation(
  call: OrganizationCall,
  id: string,
): Promise<{ ok: true; invitation: typeof invitation.$inferSelect } | Refusal> {
  const { db, actor, as } = call;
  const permission = ["invitation", "cancel"] as const;
  const {
    changed: [cancelled],
    standings: [standing],
  } = await changeAndRecord(db, {
    change: db
      .update(invitation)
      .set({ status: "canceled", answeredAt: actor.source.now() })
      .where(and(isInvitation(call, id), isAllowed(call, permission), isShownTo(actor.actorId)))
      .returning(),
    event: eventIn(call, "invitation.cancelled", { invitation: id }),
    after: { standings: selectStanding(call) },
  });
  if (cancelled) return { ok: true, invitation: cancelled };
  return findRefusal(standing, permission, as) ?? refuse("INVITATION_NOT_FOUND");
}

/** SQL condition: a user may still invite an e-mail today. */
export function hasInvitationRoom(userId: string, email: string, now: Date): SQL {
  const { toOne, byUser, byNewUser } = INVITATION_LIMITS;
  const made = ({ max, windowMs }: RateLimit, to?: SQL) => {
    const isCounted = and(
      eq(invitation.inviterId, userId),
      gt(invitation.createdAt, new Date(now.getTime() - windowMs)),
      to,
    );
    return sql`NOT EXISTS (SELECT 1 FROM ${invitation} WHERE ${isCounted} LIMIT 1 OFFSET ${max - 1})`;
  };
  const isOld = sql`EXISTS (
    SELECT 1 FROM ${user}
    WHERE ${user.id} = ${userId} AND ${lte(user.createdAt, new Date(now.getTime() - NEW_ACCOUNT_MS))}
  )`;
  return sql`(${made(toOne, eq(invitation.email, email))} AND ${made(byUser)} AND (${isOld} OR ${made(byNewUser)}))`;
}

/** SQL condition: a row of `invitation` is this one, of the organization, and waits for an answer. */
function isInvitation({ key }: OrganizationCall, id: string): SQL | undefined {
  return and(
    eq(invitation.id, id),
    eq(invitation.organizationId, idOf(key)),
    eq(invitation.status, "pending"),
  );
}

/** Returns when an invitation that is sent now ends. */
export function expiryOf(now: Date): Date {
  return new Date(now.getTime() + INVITATION_DAYS * DAY_MS);
}

/**
 * Returns the URL of an invitation, in its mail and to be copied. The e-mail fills in the login
 * page; the page itself never tells it.
 */
export function invitationUrl(baseUrl: string, id: string, email: string): string {
  return `${baseUrl}/invitations/${id}?${new URLSearchParams({ email })}`;
}

/** Prepares the mail of an invitation, or of an offer of ownership to a member. */
export async function prepareInvitationMail(
  { mailer, baseUrl, sender, language }: InvitationServices,
  invited: {
    id: string;
    email: string;
    role: OrganizationRole;
    organizationName: string;
    actor: Actor;
    isOffer: boolean;
    handsOver: boolean;
  },
) {
  const { id, email, role, organizationName: organization, actor, isOffer, handsOver } = invited;
  const now = actor.source.now();
  const shown = { inviter: sender, organization, link: invitationUrl(baseUrl, id, email) };
  const message = isOffer
    ? ({ kind: "ownership-offered", ...shown, handsOver } as const)
    : ({
        kind: "organization-invitation",
        ...shown,
        role,
        validHours: INVITATION_DAYS * 24,
      } as const);
  const envelope = { recipient: email, language, expiresAt: expiryOf(now) };
  // Beyond a limit the mail is dropped, not the invitation, which waits in the person's account.
  return mailer.prepare({ ...envelope, message, causedBy: actor.actorId }, now);
}

/**
 * Finds the pending invitations that a member may send again all at once. Offers of ownership are
 * not among them.
 */
export async function findWaiting({ db, actor, key }: OrganizationCall) {
  return db
    .select({ id: invitation.id, email: invitation.email })
    .from(invitation)
    .where(
      and(
        eq(invitation.organizationId, idOf(key)),
        eq(invitation.status, "pending"),
        gt(invitation.expiresAt, actor.source.now()),
        isNull(invitation.memberId),
        isShownTo(actor.actorId),
      ),
    )
    .orderBy(asc(invitation.createdAt));
}
