import type { Party } from "./audit-log.server.ts";
import type { Change } from "./changes.ts";

/** An event as screens show it: the actor, the action, its target and the time. */
export type NewestEvent = {
  id: string;
  action: string;
  actor: Party | undefined;
  impersonator: Party | undefined;
  target: Party | undefined;
  changes: Change[];
  createdAt: Date;
};

/** True for what people did to themselves, where naming them twice would say nothing more. */
export function isOwn({ actor, impersonator, target }: NewestEvent): boolean {
  return !impersonator && actor !== undefined && actor.id === target?.id;
}
