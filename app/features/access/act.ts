import type { Permission } from "./permissions.ts";

/**
 * What a person or a program can do. Each door to it, a screen's form, a call of better-auth's client or one of the
 * product's own API, names the act, so all of them ask for the same permission and the same proof of identity.
 */
export type Act = {
  /** As logs and tests name it, such as `user:ban`. */
  name: string;
  permission: Permission;
  /** Why it needs no fresh proof of identity. Without a reason it needs one, so a new act is closed. */
  harmless?: string;
};

/** Makes acts from a table by intent; their names begin with the thing. */
export function actsOf<Intent extends string>(
  thing: string,
  table: { [I in Intent]: Omit<Act, "name"> },
): { [I in Intent]: Act } {
  const rows = Object.entries<Omit<Act, "name">>(table);
  // Object.fromEntries forgets the names of the keys.
  return Object.fromEntries(
    rows.map(([intent, act]) => [intent, { ...act, name: `${thing}:${intent}` }]),
  ) as { [I in Intent]: Act };
}

const IN_APP: Permission = ["apps", "app"];

/**
 * Makes the acts of people on what is their own. What their role allows there is asked in the
 * statement that writes.
 */
export function ownActs<Intent extends string>(
  table: { [I in Intent]: Pick<Act, "harmless"> },
): { [I in Intent]: Act } {
  const rows = Object.entries<Pick<Act, "harmless">>(table);
  // As above.
  return Object.fromEntries(
    rows.map(([intent, act]) => [intent, { ...act, permission: IN_APP, name: `own:${intent}` }]),
  ) as { [I in Intent]: Act };
}
