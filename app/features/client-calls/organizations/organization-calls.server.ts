import { and, asc, desc, eq } from "drizzle-orm";
import { ask } from "../../../db/read.server.ts";
import { invitation, member, organization, user } from "../../../db/schema/schema.ts";
import { organizationRoles } from "../../access/organization-permissions.ts";
import type { OrganizationRole } from "../../access/role-names.ts";
import { setActiveOrganization } from "../../organizations/active/active-organization.server.ts";
import {
  type ApiResult,
  actorOf,
  answer,
  type ClientCall,
  chosenKey,
  commandOn,
} from "../../organizations/api/api-call.server.ts";
import {
  ORGANIZATION,
  ownIdOf,
  selectOwn,
} from "../../organizations/api/own-organization.server.ts";
import { Slug } from "../../organizations/input.ts";
import { isShownTo } from "../../organizations/invitations/shown-invitation.server.ts";
import { changeLogo } from "../../organizations/organization-logo.server.ts";
import {
  createOrganization,
  isSlugFree,
  updateOrganization,
} from "../../organizations/settings/organization-commands.server.ts";
import { startOrganizationDeletion } from "../../organizations/settings/organization-deletion.server.ts";
import { type OrganizationCall, refuse } from "../../organizations/standing.server.ts";
import { INVITATION, MEMBER_WITH_USER, shownOrganization } from "./api-rows.server.ts";

const MAX_SHOWN = 100;

type Changeable = { name: string; slug: string; metadata?: string };

/** Creates an organization and makes it the active one. Error for a taken slug: ORGANIZATION_ALREADY_EXISTS. */
export async function create(
  call: ClientCall,
  input: Changeable & { keepCurrentActiveOrganization?: boolean },
): Promise<ApiResult> {
  const { db, baseUrl, current } = call;
  const { keepCurrentActiveOrganization, ...values } = input;
  const userId = current.user.id;
  const created = await createOrganization(db, actorOf(call), {
    ...values,
    ownerId: userId,
    sessionId: keepCurrentActiveOrganization ? undefined : current.session.id,
  });
  if (!created.ok) return created;
  const { id, memberId, createdAt } = created;
  const { name, slug, metadata = null } = values;
  return answer({
    ...shownOrganization({ id, name, slug, logo: null, metadata, createdAt }, baseUrl),
    members: [{ id: memberId, organizationId: id, userId, role: "owner", createdAt }],
  });
}

/** Error: ORGANIZATION_SLUG_ALREADY_TAKEN, also for a slug that no organization may have. */
export async function checkSlug(
  { db, info }: ClientCall,
  { slug }: { slug: string },
): Promise<ApiResult> {
  const parsed = Slug.safeParse(slug);
  const isFree = parsed.success && (await isSlugFree(db, { slug: parsed.data, now: info.now() }));
  return isFree ? answer({ status: true }) : refuse("ORGANIZATION_SLUG_ALREADY_TAKEN");
}

/**
 * Changes what the client names and keeps the rest: the write holds only for the version that was read. With null it
 * removes the logo. Errors: those of `updateOrganization` and `changeLogo`.
 */
export async function update(
  { baseUrl, deleteLogo, info }: ClientCall,
  target: OrganizationCall,
  { data }: { data: Partial<Changeable> & { logo?: null } },
): Promise<ApiResult> {
  const [before] = await selectOwn(target);
  if (!before) return refuse("ORGANIZATION_NOT_FOUND");
  const { name = before.name, slug = before.slug, metadata } = data;
  const { version } = before;
  const updated = await updateOrganization(target, { name, slug, metadata, version });
  if (!updated.ok) return updated;
  const { logo: picture } = before;
  const isLogoOff = data.logo === null && picture !== null;
  if (isLogoOff) {
    const removed = await changeLogo(target, null);
    if (!removed.ok) return removed;
    info.afterAnswer(() => deleteLogo(picture));
  }
  const logo = isLogoOff ? null : picture;
  const after = { ...before, name, slug, logo, metadata: metadata ?? before.metadata };
  return answer(shownOrganization(after, baseUrl));
}

/** Starts the grace period; no name is typed. Errors: those of `startOrganizationDeletion`. */
export async function deleteOrganization(
  call: ClientCall,
  { organizationId }: { organizationId: string },
): Promise<ApiResult> {
  const target = commandOn(call, { id: organizationId });
  const [found] = await selectOwn(target);
  if (!found) return refuse("ORGANIZATION_NOT_FOUND");
  const { mailer, baseUrl, language, info } = call;
  const services = { mailer, baseUrl, language, afterAnswer: info.afterAnswer };
  const started = await startOrganizationDeletion(target, services, found.name);
  return started.ok ? answer(shownOrganization(found, baseUrl)) : started;
}

/** With null no organization is active; without a value the active one stays and is answered. */
export async function setActive(
  call: ClientCall,
  input: { organizationId?: string | null; organizationSlug?: string },
): Promise<ApiResult> {
  const { organizationId, organizationSlug } = input;
  const key =
    organizationId === null
      ? null
      : (organizationId && { id: organizationId }) || chosenKey(call, { organizationSlug });
  if (!key && organizationId !== null) return answer(null);
  const set = await setActiveOrganization(
    call.db,
    actorOf(call),
    call.current.session.id,
    key ?? null,
  );
  if (!set.ok) return set;
  return answer(set.organization && shownOrganization(set.organization, call.baseUrl));
}

/** Lists the organizations of the user. */
export async function list({ db, current, baseUrl }: ClientCall): Promise<ApiResult> {
  const rows = await db
    .select(ORGANIZATION)
    .from(member)
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(eq(member.userId, current.user.id))
    .orderBy(asc(member.createdAt), asc(organization.id));
  return answer(rows.map((row) => shownOrganization(row, baseUrl)));
}

/** Returns an organization of the user; null without one. */
export async function get({ baseUrl }: ClientCall, target: OrganizationCall): Promise<ApiResult> {
  const [found] = await selectOwn(target);
  return found ? answer(shownOrganization(found, baseUrl)) : refuse("ORGANIZATION_NOT_FOUND");
}

/**
 * Returns an organization with its members and what features add, and with its invitations for members who may invite;
 * null without an organization.
 */
export async function getFull(
  { db, baseUrl, organizationParts }: ClientCall,
  target: OrganizationCall,
  { membersLimit = MAX_SHOWN }: { membersLimit?: number },
): Promise<ApiResult> {
  const id = ownIdOf(target);
  const parts = ask(
    db,
    Object.fromEntries(Object.entries(organizationParts).map(([name, read]) => [name, read(id)])),
  );
  const [[found], members, invitations, ...partRows] = await db.batch([
    selectOwn(target),
    db
      .select(MEMBER_WITH_USER)
      .from(member)
      .innerJoin(user, eq(user.id, member.userId))
      .where(eq(member.organizationId, id))
      .orderBy(asc(member.createdAt), asc(member.id))
      .limit(Math.min(membersLimit, MAX_SHOWN)),
    selectInvitations(target),
    ...parts.statements,
  ]);
  if (!found) return refuse("ORGANIZATION_NOT_FOUND");
  return answer({
    ...shownOrganization(found, baseUrl),
    invitations,
    members,
    ...parts.results(partRows),
  });
}

/** Statement for the latest invitations that the actor may see. */
export function selectInvitations(target: OrganizationCall) {
  const { db, actor } = target;
  return db
    .select(INVITATION)
    .from(invitation)
    .where(and(eq(invitation.organizationId, ownIdOf(target)), isShownTo(actor.actorId)))
    .orderBy(desc(invitation.createdAt), asc(invitation.id))
    .limit(MAX_SHOWN);
}

/** Tells whether the role of the user has all of these permissions. */
export async function hasPermission(
  _call: ClientCall,
  target: OrganizationCall,
  {
    permissions,
    permission,
  }: { [Name in "permissions" | "permission"]?: Record<string, string[]> },
): Promise<ApiResult> {
  const [found] = await selectOwn(target);
  if (!found) return refuse("ORGANIZATION_NOT_FOUND");
  return answer({ error: null, success: isGranted(found.role, permissions ?? permission ?? {}) });
}

function isGranted(role: OrganizationRole, asked: Record<string, string[]>): boolean {
  // A map, because a client names the resources: an object would also have "constructor".
  const granted = new Map<string, readonly string[]>(
    Object.entries(organizationRoles[role].statements),
  );
  const resources = Object.entries(asked);
  const isEach = resources.every(
    ([resource, actions]) =>
      actions.length > 0 && actions.every((action) => granted.get(resource)?.includes(action)),
  );
  return isEach && resources.length > 0;
}
