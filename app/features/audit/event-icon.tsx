import type { AuditRow } from "../../feature.ts";
import { IconDisc } from "../../ui/text/icon-disc.tsx";
import type { IconName } from "../../ui/text/icon-names.ts";
import { AUDIT_EVENTS } from "./actions.ts";

const ROWS: Partial<Record<string, AuditRow>> = AUDIT_EVENTS;

/** Bans and deletions, the only events in red. */
const SEVERE: readonly IconName[] = ["ban", "trash-2"];

/** Icon of an event; one that another release wrote may be unknown. */
export function EventIcon({ action }: { action: string }) {
  const name = ROWS[action]?.icon ?? "scroll-text";
  return <IconDisc name={name} isSevere={SEVERE.includes(name)} />;
}
