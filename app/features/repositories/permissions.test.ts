import { expect, test } from "vitest";
import { roleCan } from "../access/permissions.ts";
import { ROLES } from "../access/role-names.ts";
import { repositories } from "./feature.ts";

const ACTIONS = ["read", "create", "update", "delete", "export"] as const;

test("everybody reads repositories, an admin may everything, and an auditor exports them", () => {
  expect(Object.keys(repositories.permissions.repository)).toEqual(ACTIONS);

  const rolesThatMay = ACTIONS.map((action) => [
    action,
    ROLES.filter((role) => roleCan(role, "repository", action)),
  ]);

  expect(Object.fromEntries(rolesThatMay)).toEqual({
    read: ["admin", "support", "auditor", "user"],
    create: ["admin"],
    update: ["admin"],
    delete: ["admin"],
    export: ["admin", "auditor"],
  });
});
