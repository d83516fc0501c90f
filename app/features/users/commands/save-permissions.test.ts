import { expect, test } from "vitest";
import { mayGive } from "../../access/permissions.ts";
import { fixedFields, permissionsToSave } from "./save-permissions.ts";

const before = { email: "amina@example.com", role: "user" };

test("a save requires the permission of each field that it changes", () => {
  const asked = (after: { email: string; role: string }) =>
    permissionsToSave(before, after).map(([resource, action]) => `${resource}.${action}`);

  expect(asked({ email: before.email, role: "user" })).toEqual(["user.update"]);
  expect(asked({ email: "new@example.com", role: "user" })).toEqual([
    "user.update",
    "user.set-email",
  ]);
  expect(asked({ email: before.email, role: "admin" })).toEqual(["user.update", "user.set-role"]);
});

test("creating a user with another role than the default requires its permission too", () => {
  expect(permissionsToSave(undefined, aNewUser("user"))).toEqual([["user", "create"]]);
  expect(permissionsToSave(undefined, aNewUser("admin"))).toEqual([
    ["user", "create"],
    ["user", "set-role"],
  ]);
});

test("a field is fixed for a manager without its permission, and some fields for one's own account", () => {
  const other = { isSelf: false, isListed: false };
  expect(fixedFields({ role: "admin" }, other)).toEqual({ email: undefined, role: undefined });
  expect(fixedFields({ role: "admin" }, { ...other, isSelf: true })).toEqual({
    email: "users:ownEmailHint",
    role: "users:ownRoleHint",
  });
  expect(fixedFields({ role: "admin" }, { ...other, isListed: true })).toEqual({
    email: "users:refusal.listed_email",
    role: "users:refusal.listed_admin",
  });
  expect(fixedFields({ role: "user" }, other)).toEqual({
    email: "codes:YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL",
    role: "codes:YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE",
  });
});

function aNewUser(role: string) {
  return { email: "new@example.com", role };
}

test("a manager gives no role above their own, and none without the permission", () => {
  const given = ["admin", "support", "auditor,user", "user"];
  const mayBeGivenBy = (role: string) => given.filter((one) => mayGive({ role }, { role: one }));

  expect(mayBeGivenBy("admin")).toEqual(given);
  expect(mayBeGivenBy("auditor,admin")).toEqual(given);
  expect(mayBeGivenBy("support")).toEqual(["user"]);
  expect(mayBeGivenBy("user")).toEqual(["user"]);
});
