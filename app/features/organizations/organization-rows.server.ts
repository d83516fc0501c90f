import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { OrganizationPermission } from "../access/organization-permissions.ts";
import type { OwnedAct, Owner } from "../owned/owned-rows.server.ts";
import {
  findRefusal,
  idOf,
  isAllowed,
  type OrganizationCall,
  selectStanding,
} from "./standing.server.ts";

/**
 * Rows of an organization, whose id is in the column: what a member may change is what their role
 * allows, while the organization is open.
 * @public Called by the subjects that `npm run new` writes.
 */
export function ofOrganization(
  column: SQLiteColumn,
  permissions: Readonly<Record<OwnedAct, OrganizationPermission>>,
): Owner<OrganizationCall> {
  return {
    of: { column, id: ({ key }) => idOf(key) },
    isAllowed: (call, act) => isAllowed(call, permissions[act]),
    async refusalOf(call, act) {
      const [standing] = await selectStanding(call);
      return findRefusal(standing, permissions[act], call.as)?.code;
    },
  };
}
