import { expect, test } from "vitest";
import { openMigratedSqlite } from "../../../scripts/schema/print.ts";
import { SERVER_FEATURES } from "../../features.server.ts";
import { rolesThatCan } from "../access/organization-permissions.ts";
import { ROLES } from "../access/role-names.ts";
import { scopesForUser } from "./routes/api-keys.server.ts";

test("the database's scopes of each role are those that the role may give to a key", () => {
  const rows = openMigratedSqlite().prepare("SELECT role, scope FROM role_scope").all();

  const offered = ROLES.flatMap((role) =>
    scopesForUser(SERVER_FEATURES.api, { role }).map(({ scope }) => ({ role, scope })),
  );
  const written = (list: readonly Record<string, unknown>[]) =>
    list.map(({ role, scope }) => `${role} ${scope}`).toSorted();
  expect(written(rows)).toEqual(written(offered));
});

test("the database's condition for makers of an organization's keys has the roles of the table of permissions", () => {
  expect(rolesThatCan(["apiKey", "create"])).toEqual(["owner"]);
});
