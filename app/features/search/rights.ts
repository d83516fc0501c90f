import { screensFor } from "../access/navigation.ts";
import { can, type RoleHolder } from "../access/permissions.ts";

/** What the command palette offers a user beside the screens of the current area. */
type PaletteRights = {
  createUser: boolean;
  createOrganization: boolean;
  readMail: boolean;
  /** Paths of the features' actions. */
  actions: string[];
};

/** Returns what the palette shows. Each screen checks its permissions again. */
export function paletteRightsOf(user: RoleHolder): PaletteRights {
  const isManager = can(user, "apps", "manager");
  return {
    createUser: can(user, "user", "create") && isManager,
    createOrganization: can(user, "organization", "create") && isManager,
    readMail: can(user, "mail", "read") && isManager,
    actions: isManager ? screensFor(user, "actions").map(({ path }) => path) : [],
  };
}
