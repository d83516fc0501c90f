import { expect, test } from "vitest";
import { openMigratedSqlite } from "../../../scripts/schema/print.ts";
import { SERVER_FEATURES } from "../../features.server.ts";
import { rolesThatCan } from "../access/organization-permissions.ts";
import { mayDo, statements } from "../access/permissions.ts";
import { ROLES } from "../access/role-names.ts";
import { scopesForUser } from "./routes/api-keys.server.ts";

test("the database knows each scope that a role may give to a key, and none that the role has not", () => {
  const rows = openMigratedSqlite()
    .prepare("SELECT role, scope FROM role_scope")
    .all()
    .map(({ role, scope }) => `${role} ${scope}`);

  const offered = ROLES.flatMap((role) =>
    scopesForUser(SERVER_FEATURES.api, { role }).map(({ scope }) => `${role} ${scope}`),
  );
  expect(rows).toEqual(expect.arrayContaining(offered));
  // A feature that was taken out of a deployed database leaves its scopes there. No call asks for them.
  const held = ROLES.flatMap((role) =>
    Object.entries(statements).flatMap(([resource, actions]) =>
      actions
        .filter((action) => mayDo({ role }, [resource, action]))
        .map((action) => `${role} ${resource}.${action}`),
    ),
  );
  const resources = Object.keys(statements);
  const known = rows.filter((row) => resources.includes(/ (\w+)\./.exec(row)?.[1] ?? ""));
  expect(held).toEqual(expect.arrayContaining(known));
});

test("the database's condition for makers of an organization's keys has the roles of the table of permissions", () => {
  expect(rolesThatCan(["apiKey", "create"])).toEqual(["owner"]);
});
