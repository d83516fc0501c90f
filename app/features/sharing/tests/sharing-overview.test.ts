import { afterAll, expect, test } from "vitest";
import { readText } from "../../../../tests/support/client.ts";
import { insertRows } from "../../../../tests/support/insert.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { plansOf, wholeTableReads } from "../../../../tests/support/plans.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { createDb } from "../../../db/db.server.ts";
import { manyRepositories } from "../../repositories/tests/repositories.ts";
import { sharingServer } from "../feature.server.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");

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
      organization_id: organization.id,
      repository_id: id,
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

test("the overview counts the repositories that it links to", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const books = await manyRepositories(
    gatehouse,
    Array.from({ length: 7 }, (_, index) => ({ name: `counted ${index}` })),
  );
  const own = { organization_id: organization.id, created_at: 1 };
  const shared = books.map(({ id }) => ({ ...own, repository_id: id }));
  await insertRows(gatehouse.d1, "organization_repository", shared);

  const page = await (await browser.get(`/app/organizations/${organization.slug}`)).text();

  expect(readText(page)).toContain(t("organizations:overview.allRepositories", { count: 7 }));
});
