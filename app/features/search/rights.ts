import { can } from "../access/permissions.ts";

/** What the command palette offers somebody, besides the screens of the area they are in. */
export type PaletteRights = {
  listUsers: boolean;
  createUser: boolean;
  createRepository: boolean;
};

/** A courtesy, asked on the server for the browser: each screen and function asks again. */
export function paletteRightsOf(user: { role?: string | null }): PaletteRights {
  return {
    listUsers: can(user, "user", "list"),
    createUser: can(user, "user", "create") && can(user, "apps", "manager"),
    createRepository: can(user, "repository", "create") && can(user, "apps", "manager"),
  };
}
