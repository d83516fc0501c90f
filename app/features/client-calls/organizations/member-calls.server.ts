import { and, asc, count, desc, eq, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { member, user } from "../../../db/schema/schema.ts";
import type { OrganizationRole } from "../../access/role-names.ts";
import {
  type ApiResult,
  answer,
  type ClientCall,
  commandOn,
} from "../../organizations/api/api-call.server.ts";
import { ownIdOf, selectOwn } from "../../organizations/api/own-organization.server.ts";
import { offerOwnership } from "../../organizations/invitations/ownership-offer.server.ts";
import {
  changeMemberRole,
  leaveOrganization,
  removeMember,
} from "../../organizations/members/member-commands.server.ts";
import { type OrganizationCall, refuse } from "../../organizations/standing.server.ts";
import { MEMBER_WITH_USER } from "./api-rows.server.ts";
import { servicesOf } from "./invitation-calls.server.ts";
import {
  type FilterField,
  type MemberFilter,
  memberFilter,
  SORTED,
} from "./member-filter.server.ts";

/** Removes a member by the id of the membership or by e-mail. Errors: those of `removeMember`. */
export async function remove(
  _call: ClientCall,
  target: OrganizationCall,
  { memberIdOrEmail }: { memberIdOrEmail: string },
): Promise<ApiResult> {
  const isEmail = memberIdOrEmail.includes("@");
  const removed = await removeMember(
    target,
    isEmail ? { email: memberIdOrEmail.trim().toLowerCase() } : { memberId: memberIdOrEmail },
  );
  return removed.ok ? answer({ member: removed.member }) : removed;
}

/**
 * Changes a member's role. The role of an owner is only offered: until the member accepts, the answer has the present
 * role. Errors: those of `changeMemberRole` and `offerOwnership`.
 */
export async function updateRole(
  call: ClientCall,
  target: OrganizationCall,
  { memberId, role }: { memberId: string; role: OrganizationRole },
): Promise<ApiResult> {
  const changed =
    role === "owner"
      ? await offerOwnership(target, servicesOf(call), { memberId }, { handsOver: false })
      : await changeMemberRole(target, servicesOf(call), { memberId }, role);
  return changed.ok ? answer(changed.member) : changed;
}

/** Errors: those of `leaveOrganization`. */
export async function leave(
  call: ClientCall,
  { organizationId }: { organizationId: string },
): Promise<ApiResult> {
  const left = await leaveOrganization(commandOn(call, { id: organizationId }));
  if (!left.ok) return left;
  const { id, name, email, image } = call.current.user;
  return answer({ ...left.member, user: { id, name, email, image } });
}

type Page = {
  limit: number;
  offset: number;
  sortBy: FilterField;
  sortDirection: "asc" | "desc";
} & MemberFilter;

/** Lists members with the total that matches the filter. Error: INVALID_PAYLOAD for a filter without a value. */
export async function list(
  _call: ClientCall,
  target: OrganizationCall,
  { limit, offset, sortBy, sortDirection, ...filter }: Page,
): Promise<ApiResult> {
  const matched = memberFilter(filter);
  if (!matched.ok) return refuse("INVALID_PAYLOAD");
  const where = and(eq(member.organizationId, ownIdOf(target)), matched.where);
  const direction = sortDirection === "asc" ? asc : desc;
  const [[found], members, [total]] = await target.db.batch([
    selectOwn(target),
    selectMembers(target, where)
      .orderBy(direction(SORTED[sortBy]), asc(member.id))
      .limit(limit)
      .offset(offset),
    target.db.select({ count: count() }).from(member).where(where),
  ]);
  if (!found) return refuse("ORGANIZATION_NOT_FOUND");
  return answer({ members, total: total?.count ?? 0 });
}

function selectMembers({ db }: OrganizationCall, where: SQL | undefined) {
  return db
    .select(MEMBER_WITH_USER)
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(where)
    .$dynamic();
}

/** Returns the membership of the user in the active organization. */
export async function getActive(_call: ClientCall, target: OrganizationCall): Promise<ApiResult> {
  const [found] = await selectMembers(
    target,
    and(eq(member.organizationId, ownIdOf(target)), eq(member.userId, target.actor.actorId)),
  );
  return found ? answer(found) : refuse("ORGANIZATION_NOT_FOUND");
}

/** Returns the role of the user, or of another member. */
export async function getRole(
  _call: ClientCall,
  target: OrganizationCall,
  { userId }: { userId?: string },
): Promise<ApiResult> {
  const other = alias(member, "other");
  const [found] = await target.db
    .select({ role: other.role })
    .from(other)
    .where(
      and(
        eq(other.organizationId, ownIdOf(target)),
        eq(other.userId, userId || target.actor.actorId),
      ),
    );
  return found ? answer(found) : refuse("ORGANIZATION_NOT_FOUND");
}
