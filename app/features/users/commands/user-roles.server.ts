import { not, or, type SQL, sql } from "drizzle-orm";
import { hasRole } from "../../../db/admin-role.ts";
import { user } from "../../../db/schema/schema.ts";
import { DEFAULT_ROLE } from "../../access/permissions.ts";
import { ROLES, type Role } from "../../access/role-names.ts";

/** SQL condition: a user has a role. The default role means no other one. */
export function roleIs(role: Role): SQL {
  // The first part is the condition of the index `user_with_roles`.
  if (role !== DEFAULT_ROLE) return sql`(${user.role} <> 'user' AND ${hasRole(user.role, role)})`;
  const others = ROLES.filter((other) => other !== DEFAULT_ROLE);
  return not(or(...others.map((other) => hasRole(user.role, other))) ?? sql`false`);
}
