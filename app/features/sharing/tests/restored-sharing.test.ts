import { afterAll, expect, test } from "vitest";
import { insertRows } from "../../../../tests/support/insert.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { anAdmin, aUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import {
  aRepository,
  manyRepositories,
  repositoryPath,
} from "../../repositories/tests/repositories.ts";

const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);

async function keptOf(repositoryId: string) {
  const { results } = await gatehouse.d1
    .prepare("SELECT kind FROM bin WHERE id = ? ORDER BY kind")
    .bind(repositoryId)
    .all();
  return results.map(({ kind }) => kind);
}

test("a restored repository is shared with the same organizations again, as far as they exist and have room", async () => {
  const { id } = await aRepository(gatehouse);
  const [kept, left, gone, full] = [
    await anOrganization(gatehouse),
    await anOrganization(gatehouse),
    await anOrganization(gatehouse),
    await anOrganization(gatehouse),
  ];
  const { id: sharer } = await aUser(gatehouse);
  const share = (organizationId: string, repositoryId: string, sharedBy: string) => ({
    organization_id: organizationId,
    repository_id: repositoryId,
    shared_by: sharedBy,
    created_at: 1_000,
  });
  await insertRows(gatehouse.d1, "organization_repository", [
    share(kept.organization.id, id, admin.id),
    share(left.organization.id, id, sharer),
    share(gone.organization.id, id, admin.id),
    share(full.organization.id, id, admin.id),
  ]);

  await manager.submit(repositoryPath(id), { intent: "delete" });
  await gatehouse.d1
    .prepare("DELETE FROM organization WHERE id = ?")
    .bind(gone.organization.id)
    .run();
  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(sharer).run();
  const others = await manyRepositories(gatehouse, Array(500).fill({}));
  await insertRows(
    gatehouse.d1,
    "organization_repository",
    others.map((row) => share(full.organization.id, row.id, admin.id)),
  );
  await manager.submit(repositoryPath(id), { intent: "restore" });

  const { results } = await gatehouse.d1
    .prepare(
      "SELECT * FROM organization_repository WHERE repository_id = ? ORDER BY shared_by DESC",
    )
    .bind(id)
    .all();
  expect(results).toEqual([
    share(kept.organization.id, id, admin.id),
    { ...share(left.organization.id, id, sharer), shared_by: null },
  ]);
});

test("what was shared is forgotten with the repository after thirty days, and after a restoration", async () => {
  const { id } = await aRepository(gatehouse);
  const { organization } = await anOrganization(gatehouse);
  await insertRows(gatehouse.d1, "organization_repository", [
    { organization_id: organization.id, repository_id: id, created_at: 1 },
  ]);
  const kept = ["repository", "sharing"];

  await manager.submit(repositoryPath(id), { intent: "delete" });
  expect(await keptOf(id)).toEqual(kept);
  await manager.submit(repositoryPath(id), { intent: "restore" });
  expect(await keptOf(id)).toEqual([]);
  await manager.submit(repositoryPath(id), { intent: "delete" });
  await gatehouse.runHourly(new Date(Date.now() + 29 * DAY_MS));
  expect(await keptOf(id)).toEqual(kept);

  await gatehouse.runHourly(new Date(Date.now() + 31 * DAY_MS));

  expect(await keptOf(id)).toEqual([]);
});
