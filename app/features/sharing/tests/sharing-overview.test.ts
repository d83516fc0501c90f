import { afterAll, expect, test } from "vitest";
import { insertRows } from "../../../../tests/support/insert.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { plansOf, wholeTableReads } from "../../../../tests/support/plans.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { createDb } from "../../../db/db.server.ts";
import { manyRepositories } from "../../repositories/tests/repositories.ts";
import { sharingServer } from "../feature.server.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

test("the overview lists repositories by day and name, and reads no whole table for them", async () => {
  const { organization } = await anOrganization(gatehouse);
  const books = await manyRepositories(gatehouse, [
    { name: "gamma" },
    { name: "Beta" },
    { name: "alpha" },
    { name: "newest" },
  ]);
  await insertRows(
    gatehouse.d1,
    "organization_repository",
    books.map(({ id, name }) => ({
      ...{ organization_id: organization.id, repository_id: id },
      created_at: name === "newest" ? 2 : 1,
    })),
  );
  const panel = sharingServer.panels["organization-repositories"](organization.id);

  const shown = panel.means(await panel.select(createDb(gatehouse.d1)));

  expect(shown.count).toBe(4);
  expect(shown.repositories.map(({ name }) => name)).toEqual(["newest", "alpha", "Beta", "gamma"]);

  const plans = await plansOf(gatehouse, async (db) => db.batch([panel.select(db)]));

  expect(plans.length).toBeGreaterThan(0);
  expect(wholeTableReads(plans)).toEqual([]);
});
