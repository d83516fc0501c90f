import { expect, test } from "vitest";
import {
  type OrganizationPermission,
  organizationAccess,
  organizationRoles,
  organizationStatements,
  roleCan,
  rolesBelow,
  rolesThatCan,
} from "./organization-permissions.ts";
import { ORGANIZATION_ROLES } from "./role-names.ts";

/** What each role may do: owner, admin, member. */
const MATRIX = [
  [["organization", "update"], true, true, false],
  [["organization", "delete"], true, false, false],
  [["member", "create"], true, true, false],
  [["member", "update"], true, true, false],
  [["member", "delete"], true, true, false],
  [["invitation", "create"], true, true, false],
  [["invitation", "cancel"], true, true, false],
  [["ac", "read"], true, true, true],
  [["apiKey", "create"], true, false, false],
  [["apiKey", "delete"], true, false, false],
  [["repository", "read"], true, true, true],
  [["repository", "create"], true, true, false],
  [["repository", "delete"], true, true, false],
  [["team", "create"], true, true, false],
  [["team", "update"], true, true, false],
  [["team", "delete"], true, true, false],
  [["webhook", "update"], true, false, false],
] as const satisfies [OrganizationPermission, boolean, boolean, boolean][];

const CELLS = MATRIX.flatMap(([permission, ...cells]) =>
  ORGANIZATION_ROLES.map((role, index) => {
    const isAllowed = cells[index] ?? false;
    const name = `${role} ${isAllowed ? "may" : "may not"} ${permission.join(".")}`;
    return { name, role, permission, isAllowed };
  }),
);

test("the matrix of this test has every permission of the table", () => {
  const permissions = Object.entries(organizationStatements).flatMap(([resource, actions]) =>
    actions.map((action) => `${resource}.${action}`),
  );

  expect(MATRIX.map(([permission]) => permission.join("."))).toEqual(permissions);
});

test.each(CELLS)("$name", ({ role, permission, isAllowed }) => {
  const [resource, action] = permission;

  expect(roleCan(role, resource, action as never)).toBe(isAllowed);
  expect(rolesThatCan(permission).includes(role)).toBe(isAllowed);
  // The library that API clients use gives the same answer.
  const asked = organizationRoles[role].authorize({ [resource]: [action] } as object);
  expect(asked.success).toBe(isAllowed);
});

test("no role has a permission outside the table", () => {
  expect(organizationAccess.statements).toEqual(organizationStatements);
  for (const role of ORGANIZATION_ROLES) {
    expect(roleCan(role, "organization", "create" as "update")).toBe(false);
    expect(roleCan(role, "billing" as "organization", "update")).toBe(false);
  }
});

test("members give and take roles up to their own", () => {
  expect(rolesBelow("owner")).toEqual(["owner", "admin", "member"]);
  expect(rolesBelow("admin")).toEqual(["admin", "member"]);
  expect(rolesBelow("member")).toEqual([]);
});
