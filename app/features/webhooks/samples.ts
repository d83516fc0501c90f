import type { AuditRow } from "../../feature.ts";
import { AUDIT_EVENTS } from "../audit/actions.ts";
import { EVENT_TYPES, type EventType, groupOf, kindsOf, nameKeyOf } from "./events.ts";

/** Type of the sample that is about no object. No webhook can subscribe to it. */
export const TEST_TYPE = "webhook.test";

export const SAMPLE_TYPES = [TEST_TYPE, ...EVENT_TYPES] as const;

export type SampleType = (typeof SAMPLE_TYPES)[number];

/**
 * Returns the body of a sample: an event of the type about objects that do not exist. Its member
 * `sample` marks it as a sample.
 */
export function sampleOf(type: SampleType, { id, at }: { id: string; at: Date }): string {
  const event = { id, type, timestamp: at.toISOString(), sample: true };
  return JSON.stringify({ ...event, data: type === TEST_TYPE ? {} : dataOf(type) });
}

function dataOf(type: EventType) {
  const ids = Object.fromEntries(kindsOf(type).map((kind) => [kind, `sample-${kind}`]));
  const [[kind, id] = [groupOf(type), ""]] = Object.entries(ids);
  return {
    actor: { id: "sample-actor" },
    impersonator: null,
    target: { type: kind, id },
    ids,
    changes: changesIn(type),
  };
}

/** Returns changes as events of the type have them. A real one has the fields that changed. */
function changesIn(type: EventType): Record<string, { before?: string; after: string }> {
  if (type.endsWith(".updated")) return { name: { before: "Old name", after: "New name" } };
  if (type === "user.role_changed") return { role: { before: "user", after: "support" } };
  if (type === "member.role_changed") return { role: { before: "member", after: "admin" } };
  if (type === "user.banned") return { reason: { after: "Spam" } };
  const { about }: AuditRow = AUDIT_EVENTS[nameKeyOf(type)];
  return about === undefined ? {} : { [about]: { after: "Sample" } };
}
