import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { locationOf, newBrowser, readText, typedIn } from "../../../../tests/support/client.ts";
import { openList } from "../../../../tests/support/lists.ts";
import { alertScriptsOf, readPage } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser, aUser, signIn } from "../../../../tests/support/people.ts";
import { RACE_ROUNDS } from "../../../../tests/support/thoroughness.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { encodeCursor } from "../../../lists/query/list-params.ts";
import {
  aRepository,
  countRepositories,
  findRepositoryRow,
  newName,
  repositoryPath,
} from "./repositories.ts";

const LIST = "/manager/repositories";
const NEW = "/manager/repositories/new";
const LINK = "https://git.example/acme/gate";
const AT_ONCE = 50;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);
const { browser: otherManager } = await anAdmin(gatehouse);
const { browser: user } = await aSignedInUser(gatehouse);

test("users see the same list and the same repository", async () => {
  const { id, name } = await aRepository(gatehouse, { description: "one\ntwo" });

  const list = await openList(
    user,
    `/app/repositories?${new URLSearchParams({ searchTerm: name })}`,
  );
  const detail = await user.get(`/app/repositories/${id}`);

  expect(list.ids).toEqual([id]);
  expect(detail.status).toBe(200);
  const html = await detail.text();
  const shown = LINK.replace("https://", "");
  expect(readText(html)).toContain(`${name} Open link Description one two Link ${shown}`);
  expect(html).toContain(`href="${LINK}"`);
});

test("a repository's link opens safely and its texts are escaped, for users and managers", async () => {
  const markup = `<img src=x onerror="alert(1)">`;
  const { id, link } = await aRepository(gatehouse, {
    name: `${markup} ${newName()}`,
    link: `https://git.example/?q="><script>alert(2)</script>`,
    description: `${markup}\n</textarea><script>alert(3)</script>`,
  });

  for (const [browser, path] of [
    [user, `/app/repositories/${id}`],
    [user, "/app/repositories?searchTerm=onerror"],
    [manager, repositoryPath(id)],
    [manager, repositoryPath(id, "/update")],
    [manager, `${LIST}?searchTerm=onerror`],
  ] as const) {
    const page = await (await browser.get(path)).text();
    expect(readPage(page).document.querySelector("img[onerror]")).toBeNull();
    expect(alertScriptsOf(page)).toEqual([]);
    const shown = path.endsWith("/update") ? typedIn(page, "name") : readText(page);
    expect(shown).toContain(markup);
    if (!path.endsWith(id)) continue;
    const links = readPage(page).findAll("link");
    const anchor = links.find((candidate) => candidate.getAttribute("target") === "_blank");
    expect(anchor?.getAttribute("rel")).toBe("noopener noreferrer");
    expect(anchor?.getAttribute("href")).toBe(link);
  }
});

test("an unknown repository answers 404 everywhere", async () => {
  for (const id of ["nothing", crypto.randomUUID(), "%00", "'", "x".repeat(500)]) {
    const responses = [
      await user.get(`/app/repositories/${id}`),
      await manager.get(repositoryPath(id)),
      await manager.get(repositoryPath(id, "/update")),
      await manager.submit(repositoryPath(id, "/update"), {
        name: newName(),
        link: LINK,
        version: "1",
      }),
      await manager.submit(repositoryPath(id), { intent: "delete" }),
    ];
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
  }
});

test("users get 403 on every write, and nothing is written", async () => {
  const kept = await aRepository(gatehouse);
  const deleted = await aRepository(gatehouse);
  await manager.submit(repositoryPath(deleted.id), { intent: "delete" });
  const count = await countRepositories(gatehouse);
  const fields = { name: newName(), link: LINK, version: "1" };

  const responses = [
    await user.get(LIST),
    await user.get(NEW),
    await user.get(repositoryPath(kept.id)),
    await user.get(repositoryPath(kept.id, "/update")),
    await user.submit(NEW, fields),
    await user.submit(repositoryPath(kept.id, "/update"), fields),
    await user.submit(repositoryPath(kept.id), { intent: "delete" }),
    await user.submit(repositoryPath(deleted.id), { intent: "restore" }),
    await user.submit(`${NEW}.data`, fields),
    await user.submit(`${repositoryPath(kept.id, "/update")}.data`, fields),
    await user.submit(`${repositoryPath(kept.id)}.data`, { intent: "delete" }),
    await user.submit(`${repositoryPath(deleted.id)}.data`, { intent: "restore" }),
    await user.get('/_server/repository-name-availability?payload={"name":"zod"}'),
  ];

  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 403));
  expect(await countRepositories(gatehouse)).toBe(count);
  expect(await findRepositoryRow(gatehouse, kept.id)).toEqual(kept);
  expect(await auditOf(gatehouse, kept.id)).toEqual([]);
});

test("an anonymous visitor can neither read nor write", async () => {
  const kept = await aRepository(gatehouse);
  const anonymous = newBrowser(gatehouse);

  for (const response of [
    await anonymous.get("/app/repositories"),
    await anonymous.get(`/app/repositories/${kept.id}`),
    await anonymous.submit(NEW, { name: newName(), link: LINK }),
    await anonymous.submit(repositoryPath(kept.id), { intent: "delete" }),
  ]) {
    expect(locationOf(response)).toMatch(/^\/login\?redirect=/);
  }
  expect(await findRepositoryRow(gatehouse, kept.id)).toEqual(kept);
});

test("the availability check knows taken and free names", async () => {
  const { id, name } = await aRepository(gatehouse);
  const ask = async (payload: object) => {
    const search = new URLSearchParams({ payload: JSON.stringify(payload) });
    const response = await manager.get(`/_server/repository-name-availability?${search}`);
    return JSON.parse(await response.text()).result.isAvailable;
  };

  expect(await ask({ name: name.toUpperCase() })).toBe(false);
  expect(await ask({ name, exceptId: id })).toBe(true);
  await manager.submit(repositoryPath(id), { intent: "delete" });
  expect(await ask({ name })).toBe(true);
});

test("no page makes more than three round trips to the database", async () => {
  const { id } = await aRepository(gatehouse);

  for (const [browser, path] of [
    [user, "/app/repositories"],
    [user, "/app/repositories?searchTerm=gate&sort=name&pages=3"],
    [user, `/app/repositories/${id}`],
    [manager, LIST],
    [manager, `${LIST}?searchTerm=g`],
    [manager, `${LIST}?after=${encodeCursor({ value: 5, id })}`],
    [manager, NEW],
    [manager, repositoryPath(id)],
    [manager, repositoryPath(id, "/update")],
  ] as const) {
    for (const response of [
      await browser.get(path),
      await browser.get(path.replace(/\?|$/, ".data$&")),
    ]) {
      expect(response.status).toBe(200);
      // With a term the list first counts how many rows have it, while the navigation is read.
      const most = path.includes("searchTerm") ? 4 : 3;
      expect(Number(response.headers.get("x-d1-calls")), path).toBeLessThanOrEqual(most);
    }
  }
});

test("50 creations with one name at once make one repository", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const name = newName("raced");

    const responses = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, attempt) =>
        (attempt % 2 ? manager : otherManager).submit(NEW, {
          name: attempt % 3 ? name : name.toUpperCase(),
          link: LINK,
        }),
      ),
    );

    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 302)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(AT_ONCE - 1);
    const { results } = await gatehouse.d1
      .prepare("SELECT id FROM repository WHERE name_key = ?")
      .bind(name)
      .all<{ id: string }>();
    expect(results).toHaveLength(1);
    expect(await auditOf(gatehouse, results[0]?.id ?? "")).toHaveLength(1);
  }
});

test("of two managers who edit at once one succeeds and the other gets a conflict", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { id } = await aRepository(gatehouse);
    const names = [newName("one"), newName("other")];

    const responses = await Promise.all(
      [manager, otherManager].map((browser, index) =>
        browser.submit(repositoryPath(id, "/update"), {
          name: names[index] ?? "",
          link: LINK,
          version: "1",
        }),
      ),
    );

    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([302, 409]);
    const winner = names[statuses.indexOf(302)];
    expect(await findRepositoryRow(gatehouse, id)).toMatchObject({ name: winner, version: 2 });
    expect(await auditOf(gatehouse, id)).toHaveLength(1);
  }
});

test("an admin can write until the next request after a demotion", async () => {
  const promoted = await aUser(gatehouse, { role: "admin" });
  const browser = newBrowser(gatehouse);
  await signIn(gatehouse, browser, promoted.email);
  const create = () => browser.submit(NEW, { name: newName(), link: LINK });

  expect((await create()).status).toBe(302);
  await gatehouse.d1.prepare("UPDATE user SET role = 'user' WHERE id = ?").bind(promoted.id).run();
  expect((await create()).status).toBe(403);
});
