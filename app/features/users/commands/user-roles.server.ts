import { not, or, type SQL, sql } from "drizzle-orm";
import { hasRole } from "../../../db/admin-role.ts";
import { user } from "../../../db/schema/schema.ts";
import { DEFAULT_ROLE, ROLES, type Role } from "../../access/permissions.ts";

/** SQL condition: a user has a role. The default role means no other one. */
export function roleIs(role: Role): SQL {
  if (role !== DEFAULT_ROLE) return hasRole(user.role, role);
  const others = ROLES.filter((other) => other !== DEFAULT_ROLE);
  return not(or(...others.map((other) => hasRole(user.role, other))) ?? sql`false`);
}

/**
 * SQL condition: a user has a role that few have. Its first part is the condition of the index `user_with_roles`.
 * Undefined for a role that a kind tells, or that most have.
 */
export function rareRole(role: Role): SQL | undefined {
  if (role === DEFAULT_ROLE || role === "admin") return undefined;
  return sql`(${user.role} <> 'user' AND ${hasRole(user.role, role)})`;
}
