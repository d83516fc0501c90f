import { expect, test } from "vitest";
import { INVITING_ROLES } from "../../db/waiting-invitation.ts";
import { rolesThatCan } from "./organization-permissions.ts";

test("the database's condition for inviters has the roles of the table of permissions", () => {
  expect([...INVITING_ROLES]).toEqual(rolesThatCan(["invitation", "create"]));
});
