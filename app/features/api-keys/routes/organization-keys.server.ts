import { forbidden } from "../../../http/responses.ts";
import { roleCan } from "../../access/organization-permissions.ts";
import type { OrganizationRole } from "../../access/role-names.ts";

/** Answers 403 to members who may not make keys of the organization. */
export function requireOwnership({ role }: { role: OrganizationRole }) {
  if (!roleCan(role, "apiKey", "create")) forbidden();
}
