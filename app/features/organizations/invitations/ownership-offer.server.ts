import { and, eq, lte, ne, type SQL, sql } from "drizzle-orm";
import { changeAndRecord } from "../../../db/change.server.ts";
import { rowValues } from "../../../db/row-values.ts";
import { invitation, member, user } from "../../../db/schema/schema.ts";
import {
  canOwn,
  isByOwner,
  isMember,
  type MemberKey,
  transferOwnership,
} from "../members/member-commands.server.ts";
import type { RoleMailServices } from "../members/role-mail.server.ts";
import {
  attempt,
  eventIn,
  findRefusal,
  idOf,
  type OrganizationCall,
  type Refusal,
  refuse,
  selectStanding,
} from "../standing.server.ts";
import {
  expiryOf,
  hasInvitationRoom,
  type InvitationServices,
  prepareInvitationMail,
} from "./invitation-commands.server.ts";

/** `isOffered` is false for a member who is an owner already. */
type Offered = { ok: true; isOffered: boolean; member: typeof member.$inferSelect } | Refusal;

/**
 * Offers a member the role of an owner: it changes when the member accepts. With `handsOver` the actor then becomes an
 * admin. The offer is an invitation of the member, with its mail and its event, and ends with the membership. Errors:
 * MEMBER_NOT_FOUND, MEMBER_CANNOT_OWN for a banned member and one whose account is being deleted,
 * YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER, USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION while an offer is open,
 * INVITATION_LIMIT_REACHED and those of `findRefusal`.
 */
export async function offerOwnership(
  call: OrganizationCall,
  services: InvitationServices,
  who: MemberKey,
  { handsOver }: { handsOver: boolean },
): Promise<Offered> {
  const { db, actor, key, as } = call;
  const now = actor.source.now();
  const mayOwn = canOwn(now);
  const [[standing], [found]] = await db.batch([
    selectStanding(call),
    db
      .select({
        id: member.id,
        organizationId: member.organizationId,
        userId: member.userId,
        role: member.role,
        createdAt: member.createdAt,
        email: user.email,
        mayOwn: mayOwn.mapWith(Boolean).as("may_own"),
      })
      .from(member)
      .innerJoin(user, eq(user.id, member.userId))
      .where(isMember(call, who)),
  ]);
  const refusal = findRefusal(standing, ["member", "update"], as);
  if (refusal || !standing) return refusal ?? refuse("ORGANIZATION_NOT_FOUND");
  if (!found) return refuse("MEMBER_NOT_FOUND");
  const { email, mayOwn: isAble, ...row } = found;
  if (row.role === "owner") return { ok: true, isOffered: false, member: row };
  if (standing.role !== "owner") return refuse("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER");
  if (!isAble) return refuse("MEMBER_CANNOT_OWN");

  const id = crypto.randomUUID();
  const offer = { role: "owner", isOffer: true, handsOver } as const;
  const values = rowValues(invitation, {
    id,
    email,
    role: "owner",
    teamId: null,
    status: "pending",
    expiresAt: expiryOf(now),
    sends: 1,
    organizationId: idOf(key),
    inviterId: actor.actorId,
    memberId: row.id,
    handsOver,
    createdAt: now,
    sentAt: now,
    answeredAt: null,
  });
  const hasRoom = hasInvitationRoom(actor.actorId, email, now);
  const isPossible: SQL | undefined = and(
    isMember(call, { memberId: row.id }),
    ne(member.role, "owner"),
    eq(user.email, email),
    mayOwn,
    isByOwner(call),
    hasRoom,
  );
  const expired = and(
    eq(invitation.organizationId, idOf(key)),
    eq(invitation.email, email),
    eq(invitation.status, "pending"),
    lte(invitation.expiresAt, now),
    isByOwner(call),
  );
  const mail = await prepareInvitationMail(services, {
    ...offer,
    id,
    email,
    organizationName: standing.name,
    actor,
  });
  return attempt(async () => {
    const {
      isChanged,
      rows,
      room: [room],
    } = await changeAndRecord(db, {
      before: {
        expired: db.update(invitation).set({ status: "canceled", answeredAt: now }).where(expired),
      },
      change: db
        .insert(invitation)
        .select(
          sql`SELECT ${values} FROM ${member} JOIN ${user} ON ${user.id} = ${member.userId} WHERE ${isPossible}`,
        ),
      event: eventIn(call, "invitation.sent", {
        invitation: id,
        role: "owner",
        member: row.userId,
      }),
      next: (isSent) => ({ rows: mail.ifChanged(isSent) }),
      after: {
        room: db
          .select({ isLeft: hasRoom.mapWith(Boolean) })
          .from(user)
          .where(eq(user.id, actor.actorId)),
      },
    });
    if (isChanged) {
      services.afterAnswer(() => mail.send(rows));
      return { ok: true, isOffered: true, member: row };
    }
    if (!room?.isLeft) return refuse("INVITATION_LIMIT_REACHED");
    return refuse("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER");
  });
}

/**
 * Hands an owner's ownership over: offers it to a member, or leaves it to another owner at once, who has accepted it
 * before. Errors: those of `offerOwnership` and `transferOwnership`.
 */
export async function handOverOwnership(
  call: OrganizationCall,
  services: InvitationServices & RoleMailServices,
  who: MemberKey,
): Promise<Offered> {
  const offered = await offerOwnership(call, services, who, { handsOver: true });
  if (!offered.ok || offered.isOffered) return offered;
  const transferred = await transferOwnership(call, services, who);
  return transferred.ok ? offered : transferred;
}
