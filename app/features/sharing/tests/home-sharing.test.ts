import { afterAll, expect, test } from "vitest";
import { type Browser, readText } from "../../../../tests/support/client.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { findAll, readPage } from "../../../../tests/support/page.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { manyRepositories } from "../../repositories/tests/repositories.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
// More than the home screen shows.
await manyRepositories(gatehouse, Array(300).fill({}));

async function homeOf(browser: Browser) {
  const response = await browser.get("/app");
  expect(response.status).toBe(200);
  const html = await response.text();
  const { document } = readPage(html);
  return {
    text: readText(html),
    rowsRead: Number(response.headers.get("x-d1-rows-read")),
    repositories: findAll(document, "link")
      .map((link) => link.getAttribute("href") ?? "")
      .filter((path) => path.startsWith("/app/repositories/")),
  };
}

test("with an active organization the home screen shows its repositories", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, { name: "Acme" }, { members: [user] });
  const rows = await manyRepositories(gatehouse, [{ updated_at: 1 }, { updated_at: 2 }]);
  await gatehouse.d1.batch([
    ...rows.map(({ id }) =>
      gatehouse.d1
        .prepare(
          "INSERT INTO organization_repository (organization_id, repository_id, created_at) VALUES (?, ?, 1)",
        )
        .bind(organization.id, id),
    ),
    gatehouse.d1
      .prepare("UPDATE session SET active_organization_id = ? WHERE user_id = ?")
      .bind(organization.id, user.id),
  ]);

  const home = await homeOf(browser);
  // The home screen shows no others. The next screen of the navigation has all.
  expect(home.repositories).toEqual(rows.toReversed().map(({ id }) => `/app/repositories/${id}`));
  expect(home.text).toMatch(/Shared with \P{L}?Acme/u);
  expect(home.text).not.toContain("Invite people");
  expect(home.text).toContain("All 2 repositories");
  expect(home.rowsRead).toBeLessThan(40);

  await gatehouse.d1.prepare("DELETE FROM member WHERE user_id = ?").bind(user.id).run();
  expect((await homeOf(browser)).repositories).toEqual([]);
});

test("an organization without repositories is no empty home: it says what comes next", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  await browser.submit("/app/organizations/new", { name: "Fresh start" });

  const home = await homeOf(browser);
  expect(home.text).toMatch(/Nothing is shared with \P{L}?Fresh start\P{L}? yet/u);
  expect(home.repositories).toEqual([]);
  const page = readPage(await (await browser.get("/app")).text());
  expect(page.linkTo("Invite a colleague")).toBe(
    "/app/organizations/fresh-start/invitations?invite",
  );
  expect(page.linkTo("Share a repository")).toBe(
    "/app/organizations/fresh-start/repositories?share",
  );
  const list = readText(await (await browser.get("/app/repositories")).text());
  expect(list).toContain("Share a repository");
  expect(list).toContain("Show all repositories");
});
