import { can } from "../access/permissions.ts";

/** What the command palette offers a user beside the screens of the current area. */
export type PaletteRights = {
  listUsers: boolean;
  createUser: boolean;
  createRepository: boolean;
  createOrganization: boolean;
};

/** Computes on the server what the palette shows. Each screen and function checks its permissions again. */
export function paletteRightsOf(user: { role?: string | null }): PaletteRights {
  return {
    listUsers: can(user, "user", "list"),
    createUser: can(user, "user", "create") && can(user, "apps", "manager"),
    createOrganization: can(user, "organization", "create") && can(user, "apps", "manager"),
    createRepository: can(user, "repository", "create") && can(user, "apps", "manager"),
  };
}
