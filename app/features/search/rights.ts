import { screensFor } from "../access/navigation.ts";
import { can } from "../access/permissions.ts";

/** What the command palette offers a user beside the screens of the current area. */
export type PaletteRights = {
  listUsers: boolean;
  createUser: boolean;
  createOrganization: boolean;
  /** Paths of the features' actions. */
  actions: string[];
};

/** Computes on the server what the palette shows. Each screen and function checks its permissions again. */
export function paletteRightsOf(user: { role?: string | null }): PaletteRights {
  const isManager = can(user, "apps", "manager");
  return {
    listUsers: can(user, "user", "list"),
    createUser: can(user, "user", "create") && isManager,
    createOrganization: can(user, "organization", "create") && isManager,
    actions: isManager ? screensFor(user, "actions").map(({ path }) => path) : [],
  };
}
