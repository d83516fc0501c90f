import { expect, test } from "vitest";
import { rolesThatCan } from "../app/features/access/organization-permissions.ts";
import { can } from "../app/features/access/permissions.ts";
import { ROLES } from "../app/features/access/role-names.ts";
import { scopesForUser } from "../app/features/api-keys/routes/api-keys.server.ts";
import { SERVER_FEATURES } from "../app/features.server.ts";
import { openMigratedSqlite } from "../scripts/schema/print.ts";

test("the database's scopes of each role are those that the role may give to a key", () => {
  const rows = openMigratedSqlite().prepare("SELECT role, scope FROM role_scope").all();

  const offered = ROLES.flatMap((role) =>
    scopesForUser(SERVER_FEATURES.api, { role }).map(({ scope }) => ({ role, scope })),
  );
  const written = (list: readonly Record<string, unknown>[]) =>
    list.map(({ role, scope }) => `${role} ${scope}`).toSorted();
  expect(written(rows)).toEqual(written(offered));
});

test("the database's condition for makers of webhooks has the roles of the tables of permissions", () => {
  expect(ROLES.filter((role) => can({ role }, "settings", "update"))).toEqual(["admin"]);
  expect(rolesThatCan(["webhook", "update"])).toEqual(["owner"]);
  expect(rolesThatCan(["apiKey", "create"])).toEqual(["owner"]);
});
