import { auditEvent } from "../../db/schema/schema.ts";

/**
 * Columns of the event of a delivery, without its time. In a batch two columns of one name become
 * one, and the delivery has a `created_at` too.
 */
export const EVENT_COLUMNS = {
  id: auditEvent.id,
  action: auditEvent.action,
  actorId: auditEvent.actorId,
  impersonatorId: auditEvent.impersonatorId,
  targetType: auditEvent.targetType,
  targetId: auditEvent.targetId,
  details: auditEvent.details,
  ipAddress: auditEvent.ipAddress,
};
