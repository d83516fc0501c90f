import { expect, test } from "vitest";
import { rolesThatCan } from "../access/organization-permissions.ts";
import { can } from "../access/permissions.ts";
import { ROLES } from "../access/role-names.ts";

test("the database's condition for makers of webhooks has the roles of the tables of permissions", () => {
  expect(ROLES.filter((role) => can({ role }, "settings", "update"))).toEqual(["admin"]);
  expect(rolesThatCan(["webhook", "update"])).toEqual(["owner"]);
});
