import { expect, test } from "vitest";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { createDb } from "../../../db/db.server.ts";
import { DEFAULT_SIZE } from "../../samples/sample-data.server.ts";
import { seed } from "../../samples/seed.server.ts";
import { repositoryNameKey } from "../name.ts";
import { sampleRepositories } from "../samples.server.ts";

test("sample repositories have the name keys of their names", async () => {
  await using gatehouse = await startGatehouse();
  await seed(createDb(gatehouse.d1), DEFAULT_SIZE, new Date(), [sampleRepositories]);
  const { results } = await gatehouse.d1
    .prepare("SELECT name, name_key FROM repository")
    .all<{ name: string; name_key: string }>();

  expect(results.length).toBe(DEFAULT_SIZE.things);
  expect(results.map(({ name_key }) => name_key)).toEqual(
    results.map(({ name }) => repositoryNameKey(name)),
  );
});
