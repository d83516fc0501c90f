import { expect, test } from "vitest";
import { joinTexts } from "../../../scripts/join-texts.ts";
import type { PermissionTable } from "../../feature.ts";
import { joined } from "../../features.ts";
import {
  type OrganizationPermission,
  organizationAccess,
  organizationRoles,
  organizationStatements,
  roleCan,
  roleMayDo,
  rolesBelow,
  rolesThatCan,
} from "./organization-permissions.ts";
import { ORGANIZATION_ROLES, type OrganizationRole } from "./role-names.ts";

/** What each role may do in the core: owner, admin, member. */
const MATRIX: [permission: readonly [string, string], ...mayDo: boolean[]][] = [
  [["organization", "update"], true, true, false],
  [["organization", "delete"], true, false, false],
  [["member", "create"], true, true, false],
  [["member", "update"], true, true, false],
  [["member", "delete"], true, true, false],
  [["invitation", "create"], true, true, false],
  [["invitation", "cancel"], true, true, false],
  [["ac", "read"], true, true, true],
];

/** The same for the features, as their facts say it. */
const FEATURES: PermissionTable<OrganizationRole> = joined("organizationPermissions");
const OF_FEATURES = Object.entries(FEATURES).flatMap(([resource, actions]) =>
  Object.entries(actions).map(([action, granted]): (typeof MATRIX)[number] => [
    [resource, action],
    ...ORGANIZATION_ROLES.map((role) => granted.includes(role)),
  ]),
);

const CELLS = [...MATRIX, ...OF_FEATURES].flatMap(([permission, ...cells]) =>
  ORGANIZATION_ROLES.map((role, index) => {
    const isAllowed = cells[index] ?? false;
    const name = `${role} ${isAllowed ? "may" : "may not"} ${permission.join(".")}`;
    return { name, role, permission, isAllowed };
  }),
);

test("the matrix of this test has every permission of the table", () => {
  const permissions = Object.entries(organizationStatements).flatMap(([resource, actions]) =>
    actions.map((action: string) => `${resource}.${action}`),
  );

  const named = [...MATRIX, ...OF_FEATURES].map(([permission]) => permission.join("."));
  expect(named).toEqual(permissions);
});

test.each(CELLS)("$name", ({ role, permission, isAllowed }) => {
  const [resource, action] = permission;

  expect(roleMayDo(role, permission)).toBe(isAllowed);
  expect(rolesThatCan(permission as OrganizationPermission).includes(role)).toBe(isAllowed);
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

test("what every object has is no permission", () => {
  for (const permission of [
    ["constructor", "name"],
    ["__proto__", "toString"],
    ["member", "constructor"],
  ] as const) {
    for (const role of ORGANIZATION_ROLES) expect(roleMayDo(role, permission)).toBe(false);
  }
});

test("members give and take roles up to their own", () => {
  expect(rolesBelow("owner")).toEqual(["owner", "admin", "member"]);
  expect(rolesBelow("admin")).toEqual(["admin", "member"]);
  expect(rolesBelow("member")).toEqual([]);
});

test("each permission has a text for the table of permissions", () => {
  const { organizations } = joinTexts("en");

  for (const [resource, actions] of Object.entries(organizationStatements)) {
    for (const action of actions) {
      expect(organizations).toHaveProperty(`permissions.${resource}.${action}`);
    }
  }
});
