import type { AuditAction } from "../audit/actions.ts";
import { changesOf } from "../audit/changes.ts";

/** An action that an endpoint can want. A `user.updated` that changed the role counts as an action of its own. */
type WantedAction = AuditAction | "user.role_changed";

/**
 * The public types of events, with the actions of the audit log that each stands for. Left out: mails, files that a person
 * downloaded, language and theme, and how people sign in, which are the person's own; and settings, the waiting list and
 * webhooks, which are the site's.
 */
const CATALOGUE = {
  "user.created": ["user.created"],
  "user.onboarded": ["user.onboarded"],
  "user.updated": [
    "user.updated",
    "user.email_changed",
    "user.avatar_changed",
    "user.avatar_removed",
  ],
  "user.role_changed": ["user.role_changed", "user.promoted"],
  "user.banned": ["user.banned"],
  "user.unbanned": ["user.unbanned"],
  "user.deletion_started": ["user.deletion_started"],
  "user.deletion_cancelled": ["user.deletion_cancelled"],
  "user.deleted": ["user.deleted", "user.erased"],
  "session.started": ["user.signed_in"],
  "session.ended": [
    "session.revoked",
    "session.revoked_all",
    "session.revoked_others",
    "user.signed_out",
  ],
  "session.impersonation_started": ["user.impersonated"],
  "session.impersonation_ended": ["user.impersonation_stopped"],
  "organization.created": ["organization.created"],
  "organization.updated": [
    "organization.updated",
    "organization.logo_changed",
    "organization.logo_removed",
  ],
  "organization.disabled": ["organization.disabled"],
  "organization.enabled": ["organization.enabled"],
  "organization.deletion_started": ["organization.deletion_started"],
  "organization.deletion_cancelled": ["organization.deletion_cancelled"],
  "organization.deleted": ["organization.erased"],
  "member.added": ["member.added", "member.joined"],
  "member.role_changed": ["member.role_changed", "member.ownership_transferred"],
  "member.removed": ["member.removed", "member.left"],
  "team.created": ["team.created"],
  "team.updated": ["team.renamed"],
  "team.deleted": ["team.deleted"],
  "team.member_added": ["team.member_added"],
  "team.member_removed": ["team.member_removed"],
  "invitation.created": ["invitation.sent"],
  "invitation.resent": ["invitation.resent"],
  "invitation.cancelled": ["invitation.cancelled"],
  "invitation.declined": ["invitation.declined"],
  "repository.created": ["repository.created"],
  "repository.updated": ["repository.updated"],
  "repository.deleted": ["repository.deleted"],
  "repository.restored": ["repository.restored"],
  "repository.shared": ["organization.repository_shared"],
  "repository.unshared": ["organization.repository_unshared"],
} as const satisfies Record<string, readonly [WantedAction, ...WantedAction[]]>;

export type EventType = keyof typeof CATALOGUE;

export const EVENT_TYPES = Object.keys(CATALOGUE) as [EventType, ...EventType[]];

/** What never happens in an open organization: these come before it, end it, or are about no organization. */
const NOT_OF_ORGANIZATIONS = [
  ...(["organization.created", "organization.disabled", "organization.deletion_started"] as const),
  ...(["organization.deleted", "repository.created", "repository.restored"] as const),
];

/** Returns the types that an organization's endpoint can get, or those of the site. */
export function eventTypesFor(owner: "site" | "organization"): EventType[] {
  if (owner === "site") return EVENT_TYPES;
  return EVENT_TYPES.filter(
    (type) =>
      !/^(user|session)\./.test(type) && !NOT_OF_ORGANIZATIONS.some((other) => other === type),
  );
}

/** Returns the action whose name in the audit log is the name of the type. */
export function nameKeyOf(type: EventType): AuditAction {
  const [action] = CATALOGUE[type];
  return action === "user.role_changed" ? "member.role_changed" : action;
}

/** Returns the actions that chosen types stand for. */
export function actionsOf(types: readonly EventType[]): string[] {
  return types.flatMap((type) => CATALOGUE[type]);
}

/** Returns the types of the actions that an endpoint wants. */
export function typesOf(actions: readonly string[]): EventType[] {
  return EVENT_TYPES.filter((type) => actions.includes(CATALOGUE[type][0]));
}

type Details = Record<string, unknown> | null;

/** Returns the public type of an audit event; undefined for one that no webhook tells of. */
export function typeOf(action: string, details: Details): EventType | undefined {
  const wanted = action === "user.updated" && changesRole(details) ? "user.role_changed" : action;
  return EVENT_TYPES.find((type) => CATALOGUE[type].some((one) => one === wanted));
}

/** True when the role before and after a change differ. The trigger that writes the deliveries asks the same. */
function changesRole(details: Details): boolean {
  const roleIn = (values: unknown) => Object(values).role ?? null;
  return roleIn(details?.before) !== roleIn(details?.after);
}

/** What an event is made of: columns of `audit_event`. */
export type RecordedEvent = {
  id: string;
  action: string;
  actorId: string | null;
  impersonatorId: string | null;
  targetType: string | null;
  targetId: string | null;
  details: Details;
  ipAddress: string | null;
  createdAt: Date;
};

/** Returns what an event tells: ids and changed fields. Never a secret, because audit events hold none. */
export function dataOf(event: RecordedEvent, withIpAddress: boolean) {
  const { actorId, impersonatorId, targetType, targetId, details, ipAddress } = event;
  return {
    actor: actorId === null ? null : { id: actorId },
    impersonator: impersonatorId === null ? null : { id: impersonatorId },
    target: targetType === null || targetId === null ? null : { type: targetType, id: targetId },
    changes: Object.fromEntries(changesOf(details).map(({ field, ...change }) => [field, change])),
    ...(withIpAddress && { ipAddress }),
  };
}

/** Returns the body of a delivery. It is the same at each try, unless the account was erased meanwhile. */
export function bodyOf(event: RecordedEvent, withIpAddress: boolean): string {
  return JSON.stringify({
    id: event.id,
    type: typeOf(event.action, event.details) ?? event.action,
    timestamp: event.createdAt.toISOString(),
    data: dataOf(event, withIpAddress),
  });
}
