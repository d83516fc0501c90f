import type { AuditRow } from "../../feature.ts";
import { AUDIT_ACTIONS, AUDIT_EVENTS, type AuditAction } from "../audit/actions.ts";
import { plainChangesOf } from "../audit/changes.ts";

/**
 * An update that changed the role is told as a change of its own; the trigger that writes the
 * deliveries knows it too.
 */
const ROLE_CHANGED = "user.role_changed";

type TypeOf<Row> = Row extends { readonly webhook: { readonly type: infer Type extends string } }
  ? Type
  : never;

/** The public type of an event: what the rows of the audit log say. */
export type EventType = TypeOf<(typeof AUDIT_EVENTS)[AuditAction]>;

type Told = { action: AuditAction; type: EventType; isForAll: boolean };

/** What is told. Left out is what is a person's own or the site's: sign-in methods, downloads, mails, settings. */
const TOLD: readonly Told[] = AUDIT_ACTIONS.flatMap((action) => {
  const { webhook }: AuditRow = AUDIT_EVENTS[action];
  // The rows' own types are what `EventType` is made of.
  return webhook
    ? [{ action, type: webhook.type as EventType, isForAll: webhook.for === "all" }]
    : [];
});

export const EVENT_TYPES = [...new Set(TOLD.map(({ type }) => type))] as [
  EventType,
  ...EventType[],
];

/** Returns the types that an organization's endpoint can get, or those of the site. */
export function eventTypesFor(owner: "site" | "organization"): EventType[] {
  if (owner === "site") return EVENT_TYPES;
  return EVENT_TYPES.filter((type) => TOLD.some((told) => told.type === type && told.isForAll));
}

/** Returns the action whose name in the audit log is the name of the type. */
export function nameKeyOf(type: EventType): AuditAction {
  const told = TOLD.find((one) => one.type === type);
  return told && type !== ROLE_CHANGED ? told.action : "member.role_changed";
}

/** Returns the actions that chosen types stand for. */
export function actionsOf(types: readonly EventType[]): string[] {
  return types.flatMap(wantedBy);
}

/** Returns the types of the actions that an endpoint wants. */
export function typesOf(actions: readonly string[]): EventType[] {
  return EVENT_TYPES.filter((type) =>
    wantedBy(type)
      .slice(0, 1)
      .some((one) => actions.includes(one)),
  );
}

/** What an endpoint wants that has chosen a type. */
function wantedBy(type: EventType): string[] {
  const actions = TOLD.filter((told) => told.type === type).map(({ action }) => action);
  return type === ROLE_CHANGED ? [ROLE_CHANGED, ...actions] : actions;
}

/** Returns the kinds of the objects whose ids an event of the type has. */
export function kindsOf(type: EventType): readonly string[] {
  const { webhook }: AuditRow =
    AUDIT_EVENTS[TOLD.find((one) => one.type === type)?.action ?? "user.created"];
  return webhook?.ids ?? [groupOf(type)];
}

/** Returns what an event is about: the first word of its type. */
export function groupOf(type: string): string {
  return type.slice(0, type.indexOf("."));
}

type Details = Record<string, unknown> | null;

/** Returns the public type of an audit event; undefined for one that no webhook tells of. */
export function typeOf(action: string, details: Details): EventType | undefined {
  if (action === "user.updated" && changesRole(details)) return ROLE_CHANGED;
  return TOLD.find((told) => told.action === action)?.type;
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

/** The parts of an event that depend on its reader. */
type Reader = {
  withIpAddress: boolean;
  /** The organization of a webhook, which all its events are about. */
  organizationId?: string | null;
};

/** Returns what an event tells: ids and changed fields. Never a secret, because audit events hold none. */
export function dataOf(event: RecordedEvent, { withIpAddress, organizationId }: Reader) {
  const { actorId, impersonatorId, targetType, targetId, details, ipAddress } = event;
  return {
    actor: actorId === null ? null : { id: actorId },
    impersonator: impersonatorId === null ? null : { id: impersonatorId },
    target: targetType === null || targetId === null ? null : { type: targetType, id: targetId },
    ids: { ...(organizationId && { organization: organizationId }), ...idsOf(event) },
    changes: Object.fromEntries(
      plainChangesOf(details).map(({ field, ...change }) => [field, change]),
    ),
    ...(withIpAddress && { ipAddress }),
  };
}

/** Returns the ids of all objects that an event is about, by their kinds. */
function idsOf({ targetType, targetId, details }: RecordedEvent): Record<string, string> {
  const { member, invitation, ids } = Object(details);
  const all = {
    ...(targetType !== null && { [targetType]: targetId }),
    // In the details, `member` is the id of a user.
    user: member ?? (targetType === "user" ? targetId : undefined),
    invitation,
    ...Object(ids),
  };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** Returns the body of a delivery. It is the same at each try, unless the account was erased meanwhile. */
export function bodyOf(event: RecordedEvent, reader: Reader): string {
  return JSON.stringify({
    id: event.id,
    type: typeOf(event.action, event.details) ?? event.action,
    timestamp: event.createdAt.toISOString(),
    data: dataOf(event, reader),
  });
}
