import type { MessageReference } from "../../../ui/text/message.tsx";
import {
  can,
  DEFAULT_ROLE,
  haveSameRoles,
  type Permission,
  type RoleHolder,
} from "../../access/permissions.ts";
import type { UserInput } from "./input.ts";

type Fields = Pick<UserInput, "email" | "role">;

/** Returns the permissions that a save needs, by the fields it changes. Without `before` the user is new. */
export function permissionsToSave(
  before: { email: string; role: string } | undefined,
  after: Fields,
): Permission[] {
  const permissions: Permission[] = [["user", before ? "update" : "create"]];
  // Creating a user includes the first e-mail.
  if (before && before.email !== after.email) permissions.push(["user", "set-email"]);
  if (!haveSameRoles(before ?? { role: DEFAULT_ROLE }, after))
    permissions.push(["user", "set-role"]);
  return permissions;
}

/**
 * Returns, by field, the reason why the manager may not change it. `isListed`: the user's e-mail is in `ADMIN_EMAILS`.
 */
export function fixedFields(
  manager: RoleHolder,
  { isSelf, isListed }: { isSelf: boolean; isListed: boolean },
) {
  const listed = (reason: MessageReference) => (isListed ? reason : undefined);
  return {
    email: isSelf
      ? "users:ownEmailHint"
      : can(manager, "user", "set-email")
        ? listed("users:refusal.listed_email")
        : "codes:YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL",
    role: isSelf
      ? "users:ownRoleHint"
      : can(manager, "user", "set-role")
        ? listed("users:refusal.listed_admin")
        : "codes:YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE",
  };
}
