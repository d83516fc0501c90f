import type { Device } from "../../values/device-icon.ts";
import type { Change } from "./changes.ts";

/** A user, an organization or another thing that an event names. */
export type Party = {
  id: string;
  type: string;
  /** Its current name, or its last known name after deletion; undefined when unknown. */
  name: string | undefined;
  email: string | undefined;
  avatar: string | null;
  isThere: boolean;
};

/** An event as screens show it: the actor, the action, its target and the time. */
export type NewestEvent = {
  id: string;
  action: string;
  actor: Party | undefined;
  impersonator: Party | undefined;
  target: Party | undefined;
  changes: Change[];
  place: string | null;
  /** The actor's browser and system; undefined where a screen shows none. */
  device?: Device | undefined;
  createdAt: Date;
};

/** Returns the action that names an event: a change of a user's roles alone is named as what it is. */
export function shownAction({ action, changes }: Pick<NewestEvent, "action" | "changes">) {
  const isOfRoles = changes.length === 1 && changes[0]?.field === "role";
  return action === "user.updated" && isOfRoles ? "member.role_changed" : action;
}

/** Returns the names that several people of these events have, so that each of them is shown with the e-mail. */
export function sharedNames(
  events: Pick<NewestEvent, "actor" | "impersonator" | "target">[],
): ReadonlySet<string> {
  const idOf = new Map<string, string>();
  const shared = new Set<string>();
  for (const { id, type, name } of events.flatMap(partiesOf)) {
    if (type !== "user" || !name) continue;
    if ((idOf.get(name) ?? id) !== id) shared.add(name);
    idOf.set(name, id);
  }
  return shared;
}

function partiesOf({ actor, impersonator, target }: Parameters<typeof sharedNames>[0][number]) {
  return [actor, impersonator, target].filter((party) => party !== undefined);
}

/** True for what people did to themselves, where naming them twice would say nothing more. */
export function isOwn({ actor, impersonator, target }: NewestEvent): boolean {
  return !impersonator && actor !== undefined && actor.id === target?.id;
}
