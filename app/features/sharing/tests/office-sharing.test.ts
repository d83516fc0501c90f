import { afterAll, expect, test } from "vitest";
import { accessibleError, readText } from "../../../../tests/support/client.ts";
import { officeOf } from "../../../../tests/support/office-organizations.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage, textOf } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aRepository } from "../../repositories/tests/repositories.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");
const { browser: manager } = await anAdmin(gatehouse);
const { browser: user } = await aSignedInUser(gatehouse);
const { pathOf, toastOf, change, lastEvent } = officeOf(gatehouse, manager);

test("a manager shares a repository by its name, and ends that", async () => {
  const { organization } = await anOrganization(gatehouse);
  const { id } = organization;
  const repository = await aRepository(gatehouse);

  const unknown = await change(id, { intent: "share", repositoryName: "no such repository" });
  expect(accessibleError(await unknown.text(), "repositoryName")).toBe(
    "No repository has this name",
  );
  const shared = await change(id, { intent: "share", repositoryName: repository.name });
  expect(await toastOf(manager, shared)).toBe("Repository shared.");
  expect(await lastEvent(id)).toMatchObject({
    action: "organization.repository_shared",
    details: { repository: repository.name, ids: { repository: repository.id } },
  });
  const ended = await change(id, { intent: "unshare", repository: repository.id });
  expect(await toastOf(manager, ended)).toBe("Repository no longer shared.");
  const again = await change(id, { intent: "unshare", repository: repository.id });
  expect(await toastOf(manager, again)).toBe("Repository not found");
});

test("a row leads to a drawer that names the repository, and asks before sharing ends", async () => {
  const { organization } = await anOrganization(gatehouse);
  const { id } = organization;
  const path = pathOf(id);
  const repository = await aRepository(gatehouse);
  await change(id, { intent: "share", repositoryName: repository.name });
  const drawerOn = async (search: string) =>
    textOf(readPage(await (await manager.get(path + search)).text()).find("dialog"));

  const page = readPage(await (await manager.get(path)).text());
  expect(page.find("dialog")).toBeUndefined();
  const unshare = t("manager-organizations:unshare.row", { name: repository.name });
  expect(page.linkTo(unshare)).toBe(`${path}?unshare=${repository.id}`);

  expect(await drawerOn(`?unshare=${repository.id}`)).toContain(repository.name);
  expect(await drawerOn("?unshare=nothing-has-this")).toBe("");
});

test("the detail of an organization shows its repositories, and the event of sharing", async () => {
  const { organization } = await anOrganization(gatehouse);
  const { id } = organization;
  const shared = await aRepository(gatehouse);
  await change(id, { intent: "share", repositoryName: shared.name.toUpperCase() });

  const response = await manager.get(pathOf(id));
  const text = readText(await response.text());

  expect(Number(response.headers.get("x-d1-calls"))).toBeLessThanOrEqual(3);
  for (const shown of [shared.name, "Repository shared"]) expect(text).toContain(shown);
});

test("an unknown organization's sharing is 404, and users get 403", async () => {
  const { organization } = await anOrganization(gatehouse);
  const fields = { intent: "unshare", repository: "r" };

  expect((await change("nothing-has-this", fields)).status).toBe(404);
  expect((await user.submit(pathOf(organization.id), fields)).status).toBe(403);
});
