import { expect, test } from "vitest";
import { joined } from "../../features.ts";
import {
  can,
  haveSameRoles,
  mayDo,
  type Resource,
  roleCan,
  roleList,
  rolesOf,
  statements,
} from "./permissions.ts";
import { ROLES } from "./role-names.ts";

test("roles are a comma-separated list, and default to user", () => {
  expect(rolesOf({ role: "admin,user" })).toEqual(["admin", "user"]);
  expect(rolesOf({ role: "user,support" })).toEqual(["support", "user"]);
  expect(rolesOf({ role: "" })).toEqual(["user"]);
  expect(rolesOf({ role: null })).toEqual(["user"]);
  expect(rolesOf({ role: "superadmin" })).toEqual(["user"]);
  expect(rolesOf({ role: "constructor" })).toEqual(["user"]);
});

test("a list of roles is stored in one way, and compared without its order", () => {
  expect(roleList(["user", "auditor", "admin", "user"])).toBe("admin,auditor,user");
  expect(haveSameRoles({ role: "auditor,support" }, { role: "support,auditor" })).toBe(true);
  expect(haveSameRoles({ role: "support" }, { role: "support,user" })).toBe(false);
  expect(haveSameRoles({ role: null }, { role: "user" })).toBe(true);
});

/** What each role may do, written by hand: a = admin, s = support, o = auditor, u = user. */
const MATRIX: Record<string, string> = {
  "user.create": "a",
  "user.list": "aso",
  "user.get": "aso",
  "user.update": "a",
  "user.set-role": "a",
  "user.set-email": "a",
  "user.set-password": "a",
  "user.ban": "a",
  "user.impersonate": "a",
  "user.delete": "a",
  "user.export": "ao",
  "session.list": "aso",
  "session.revoke": "as",
  "session.delete": "as",
  "account.read": "ao",
  "account.update": "asou",
  "apps.app": "asou",
  "apps.manager": "aso",
  "organization.read": "ao",
  "organization.create": "a",
  "organization.update": "a",
  "organization.delete": "a",
  "organization.export": "ao",
  "dashboard.read": "aso",
  "audit.read": "ao",
  "audit.export": "ao",
  "mail.read": "aso",
  "mail.retry": "as",
  "settings.read": "ao",
  "settings.update": "a",
  "system.read": "ao",
};

const LETTERS = { admin: "a", support: "s", auditor: "o", user: "u" };

test("each role has the core's permissions of the matrix, and no other", () => {
  // Those of a feature are its own test's.
  const ofFeatures = Object.keys(joined("permissions"));
  const permissions = Object.entries(statements)
    .filter(([resource]) => !ofFeatures.includes(resource))
    .flatMap(([resource, actions]) =>
      actions.map((action) => [resource as Resource, action as never] as const),
    );
  const actual = permissions.map(([resource, action]) => [
    `${resource}.${action}`,
    ROLES.filter((role) => roleCan(role, resource, action))
      .map((role) => LETTERS[role])
      .join(""),
  ]);

  expect(Object.fromEntries(actual)).toEqual(MATRIX);
});

test("a user with several roles has the permissions of each", () => {
  const both = { role: "support,auditor" };
  expect(can(both, "session", "revoke")).toBe(true);
  expect(can(both, "audit", "export")).toBe(true);
  expect(can(both, "user", "ban")).toBe(false);
});

test("what every object has is no permission", () => {
  for (const role of ROLES) {
    for (const [resource, action] of [
      ["constructor", "name"],
      ["__proto__", "toString"],
      ["user", "constructor"],
    ] as const) {
      expect(mayDo({ role }, [resource, action])).toBe(false);
    }
  }
});
