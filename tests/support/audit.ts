import type { Gatehouse } from "./worker.ts";

/** Returns the audit events about one target, oldest first. */
export async function auditOf(gatehouse: Pick<Gatehouse, "d1">, targetId: string) {
  const { results } = await gatehouse.d1
    .prepare(
      "SELECT action, actor_id, details FROM audit_event WHERE target_id = ? ORDER BY created_at, action",
    )
    .bind(targetId)
    .all<{ action: string; actor_id: string | null; details: string | null }>();
  return results.map(({ action, actor_id, details }) => ({
    action,
    actorId: actor_id,
    details: JSON.parse(details ?? "null"),
  }));
}
