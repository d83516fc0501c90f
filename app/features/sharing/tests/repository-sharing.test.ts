import { afterAll, expect, test } from "vitest";
import { accessibleError } from "../../../../tests/support/client.ts";
import { insertRows } from "../../../../tests/support/insert.ts";
import { officeOf } from "../../../../tests/support/office-organizations.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage, textOf } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aRepository, repositoryPath } from "../../repositories/tests/repositories.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { toastOf, change: changeOrganization, lastEvent } = officeOf(gatehouse, manager);

/** Returns the ids of the organizations that a repository is shared with. */
async function sharedWith(id: string): Promise<string[]> {
  const { results } = await gatehouse.d1
    .prepare("SELECT organization_id FROM organization_repository WHERE repository_id = ?")
    .bind(id)
    .all<{ organization_id: string }>();
  return results.map((row) => row.organization_id);
}

async function pageOf(path: string, browser = manager) {
  return readPage(await (await browser.get(path)).text());
}

test("a manager shares a repository with an organization by its short name, and ends that", async () => {
  const { organization } = await anOrganization(gatehouse);
  const { id, name } = await aRepository(gatehouse);
  const path = repositoryPath(id);

  const shared = await manager.submit(path, {
    intent: "share",
    slug: ` ${organization.slug.toUpperCase()}`,
  });
  expect(await toastOf(manager, shared)).toBe("Repository shared.");
  expect(await sharedWith(id)).toEqual([organization.id]);
  expect(await lastEvent(organization.id)).toMatchObject({
    action: "organization.repository_shared",
    actor_id: admin.id,
    details: { repository: name, ids: { repository: id } },
  });
  // Sharing again changes nothing.
  const again = await manager.submit(path, { intent: "share", slug: organization.slug });
  expect(await toastOf(manager, again)).toBe("Repository shared.");
  expect(await sharedWith(id)).toEqual([organization.id]);

  const row = t("manager-organizations:unshare.with", { name: organization.name });
  expect((await pageOf(path)).linkTo(row)).toBe(`${path}?unshare=${organization.id}`);
  const drawer = (await pageOf(`${path}?unshare=${organization.id}`)).find("dialog");
  expect(textOf(drawer)).toContain(`${name} will no longer appear in ${organization.name}.`);
  expect((await pageOf(`${path}?unshare=nothing-has-this`)).find("dialog")).toBeUndefined();

  const form = { intent: "unshare", organization: organization.id };
  expect(await toastOf(manager, await manager.submit(path, form))).toBe(
    "Repository no longer shared.",
  );
  expect(await sharedWith(id)).toEqual([]);
  expect((await lastEvent(organization.id))?.action).toBe("organization.repository_unshared");
  expect(await toastOf(manager, await manager.submit(path, form))).toBe(
    "The repository is no longer shared with this organization",
  );
});

test("what forbids sharing is said beside the short name", async () => {
  const { id } = await aRepository(gatehouse);
  const { organization: disabled } = await anOrganization(gatehouse);
  await changeOrganization(disabled.id, { intent: "disable", reason: "Unpaid" });
  const { organization: leaving } = await anOrganization(gatehouse);
  await changeOrganization(leaving.id, { intent: "delete", typedName: leaving.name });

  for (const [slug, error] of [
    ["", "Short name is required"],
    ["nothing-has-this", "No organization has this short name"],
    [disabled.slug, "This organization is disabled. Nothing in it can be changed."],
    [leaving.slug, "This organization is being deleted. Restore it first."],
  ] as const) {
    const refused = await manager.submit(repositoryPath(id), { intent: "share", slug });
    expect([slug, refused.status]).toEqual([slug, 400]);
    const page = await refused.text();
    expect([slug, accessibleError(page, "slug")]).toEqual([slug, error]);
    expect(readPage(page).field("slug")?.value).toBe(slug);
  }
  expect(await sharedWith(id)).toEqual([]);
});

test("a disabled organization in the list has a badge, and its sharing cannot end", async () => {
  const { organization } = await anOrganization(gatehouse);
  const { id } = await aRepository(gatehouse);
  const path = repositoryPath(id);
  const row = { organization_id: organization.id, repository_id: id, created_at: 1 };
  await insertRows(gatehouse.d1, "organization_repository", [row]);
  await changeOrganization(organization.id, { intent: "disable", reason: "Unpaid" });

  const page = await pageOf(`${path}?unshare=${organization.id}`);
  const shared = page.find("link", organization.name)?.closest("li");
  expect(textOf(shared)).toBe(`${organization.name} Disabled`);
  expect(page.find("dialog")).toBeUndefined();

  const ended = await manager.submit(path, { intent: "unshare", organization: organization.id });
  expect(await toastOf(manager, ended)).toBe(
    "This organization is disabled. Nothing in it can be changed.",
  );
  expect(await sharedWith(id)).toEqual([organization.id]);
});

test("an unknown repository is 404; a manager who may only read sees no buttons and gets 403", async () => {
  const { organization } = await anOrganization(gatehouse);
  const { id } = await aRepository(gatehouse);
  const path = repositoryPath(id);
  await manager.submit(path, { intent: "share", slug: organization.slug });
  const { browser: auditor } = await aSignedInUser(gatehouse, { role: "auditor" });

  const form = { intent: "share", slug: organization.slug };
  expect((await manager.submit(repositoryPath("nothing-has-this"), form)).status).toBe(404);
  expect((await auditor.submit(path, form)).status).toBe(403);
  const end = { intent: "unshare", organization: organization.id };
  expect((await auditor.submit(path, end)).status).toBe(403);

  const page = await pageOf(`${path}?unshare=${organization.id}`, auditor);
  expect(page.linkTo(organization.name)).toBe(`/manager/organizations/${organization.id}`);
  expect(page.find("button", t("manager-organizations:sharing.button"))).toBeUndefined();
  expect(page.find("dialog")).toBeUndefined();
  expect(await sharedWith(id)).toEqual([organization.id]);
});
