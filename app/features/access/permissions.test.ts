import { expect, test } from "vitest";
import { can, rolesOf } from "./permissions.ts";

test("roles are a comma-separated list, and default to user", () => {
  expect(rolesOf({ role: "admin,user" })).toEqual(["admin", "user"]);
  expect(rolesOf({ role: " user , admin " })).toEqual(["admin", "user"]);
  expect(rolesOf({ role: "" })).toEqual(["user"]);
  expect(rolesOf({ role: null })).toEqual(["user"]);
  expect(rolesOf({ role: "superadmin" })).toEqual(["user"]);
  expect(rolesOf({ role: "constructor" })).toEqual(["user"]);
});

test("an admin has every permission of the table", () => {
  const admin = { role: "admin" };
  expect(can(admin, "user", "ban")).toBe(true);
  expect(can(admin, "user", "impersonate")).toBe(true);
  expect(can(admin, "session", "revoke")).toBe(true);
  expect(can(admin, "apps", "manager")).toBe(true);
  expect(can(admin, "apps", "app")).toBe(true);
  expect(can(admin, "repository", "delete")).toBe(true);
});

test("a user may use the app, update their account and read repositories, and nothing else", () => {
  const user = { role: "user" };
  expect(can(user, "apps", "app")).toBe(true);
  expect(can(user, "account", "update")).toBe(true);
  expect(can(user, "repository", "read")).toBe(true);
  expect(can(user, "account", "read")).toBe(false);
  expect(can(user, "apps", "manager")).toBe(false);
  expect(can(user, "repository", "create")).toBe(false);
  expect(can(user, "user", "list")).toBe(false);
  expect(can(user, "session", "list")).toBe(false);
});
