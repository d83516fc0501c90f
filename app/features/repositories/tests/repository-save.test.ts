import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import {
  accessibleError,
  alertsOf,
  locationOf,
  readText,
  typedIn,
  versionOn,
} from "../../../../tests/support/client.ts";
import { openList } from "../../../../tests/support/lists.ts";
import { readPage, textOf } from "../../../../tests/support/page.ts";
import { anAdmin } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
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

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { browser: otherManager } = await anAdmin(gatehouse);

test("creating a repository trims its fields, completes its link and is recorded once", async () => {
  const name = newName("Crème");

  const response = await manager.submit(NEW, {
    name: `  ${name}  `,
    link: "Git.example/acme",
    description: " one\r\ntwo ",
  });
  const path = locationOf(response) ?? "";
  const page = readPage(await (await manager.follow(response)).text());

  expect(path).toMatch(/^\/manager\/repositories\/[\w-]{36}$/);
  expect(textOf(page.find("heading"))).toBe(name);
  expect(textOf(page.noscript())).toBe("");
  const id = path.split("/").at(-1) ?? "";
  const row = await findRepositoryRow(gatehouse, id);
  const kept = { name, link: "https://git.example/acme", description: "one\ntwo" };
  expect(row).toMatchObject({ ...kept, version: 1 });
  expect(row?.created_at).toBe(row?.updated_at);
  expect(await auditOf(gatehouse, id)).toEqual([
    { action: "repository.created", actorId: admin.id, details: { after: kept } },
  ]);
  const found = await openList(manager, `${LIST}?${new URLSearchParams({ searchTerm: name })}`);
  expect(found.ids).toEqual([id]);
});

test.each([
  ["name", "", "Name is required"],
  ["name", " \u00a0 ", "Name is required"],
  ["name", "\u200b\u2066\u200d", "Name is required"],
  ["name", "x".repeat(101), "Must be at most 100 characters"],
  ["name", "ga\u0000te", "Name is invalid"],
  ["link", "", "Link is required"],
  ["link", "   ", "Link is required"],
  ["link", "a.b", "Invalid link, must be at least 4 characters"],
  ["link", "localhost", "Invalid link, must contain at least a dot"],
  ["link", "javascript:alert(1).x", "Link is invalid"],
  ["link", "data:text/html,x.y", "Link is invalid"],
  ["link", "https://ada:secret@git.example", "Link is invalid"],
  ["description", "x".repeat(2_001), "Must be at most 2000 characters"],
])(
  "the %s %j is refused beside its field, and the input is kept",
  async (field, value, message) => {
    const { id } = await aRepository(gatehouse);
    const before = [await countRepositories(gatehouse), await findRepositoryRow(gatehouse, id)];
    const typed = { name: newName(), link: LINK, description: "kept", [field]: value };

    for (const response of [
      await manager.submit(NEW, typed),
      await manager.submit(repositoryPath(id, "/update"), { ...typed, version: "1" }),
    ]) {
      expect(response.status).toBe(400);
      const page = await response.text();
      expect(accessibleError(page, field)).toBe(message);
      expect(alertsOf(page)).toEqual([message]);
      for (const [name, text] of Object.entries(typed)) {
        if (name !== field) expect(typedIn(page, name)).toBe(text);
      }
    }
    expect([await countRepositories(gatehouse), await findRepositoryRow(gatehouse, id)]).toEqual(
      before,
    );
  },
);

test("a description of spaces is saved as none", async () => {
  const response = await manager.submit(NEW, {
    name: newName(),
    link: LINK,
    description: " \r\n ",
  });

  const id = locationOf(response)?.split("/").at(-1) ?? "";
  expect((await findRepositoryRow(gatehouse, id))?.description).toBeNull();
  const page = await (await manager.follow(response)).text();
  expect(readText(page)).toContain("No description");
});

test("a taken name is refused in any spelling, and the input is kept", async () => {
  const number = newName("").trim();
  const { id } = await aRepository(gatehouse, { name: `Ångström ${number}` });
  const { id: other } = await aRepository(gatehouse);
  const count = await countRepositories(gatehouse);

  for (const name of [
    `Ångström ${number}`,
    `  ÅNGSTRÖM   ${number} `,
    `A\u030angstro\u0308m ${number}`,
    `Åｎｇström ${number}`,
  ]) {
    const typed = { name, link: "b.example", description: "mine" };
    for (const response of [
      await manager.submit(NEW, typed),
      await manager.submit(repositoryPath(other, "/update"), { ...typed, version: "1" }),
    ]) {
      expect(response.status).toBe(400);
      const page = await response.text();
      expect(accessibleError(page, "name")).toBe("Name already used");
      expect(typedIn(page, "link")).toBe("b.example");
      expect(typedIn(page, "description")).toBe("mine");
    }
  }
  expect(await countRepositories(gatehouse)).toBe(count);
  expect(await auditOf(gatehouse, id)).toEqual([]);
  expect(await auditOf(gatehouse, other)).toEqual([]);
});

test("invisible characters are removed from a name, and do not make it different", async () => {
  const number = newName("").trim();
  const names = [`می\u200cخواهم ${number}`, `\ufeffpay\u202epal\u2069 ${number}\u200b`];
  const created = await Promise.all(
    names.map(async (name) => {
      const response = await manager.submit(NEW, { name, link: LINK });
      const id = locationOf(response)?.split("/").at(-1) ?? "";
      return (await findRepositoryRow(gatehouse, id))?.name;
    }),
  );

  // A zero-width non-joiner inside a Persian word belongs to its spelling.
  expect(created).toEqual([`می\u200cخواهم ${number}`, `paypal ${number}`]);
  for (const name of [`میخواهم ${number}`, `pay\u200dpal ${number}`]) {
    const response = await manager.submit(NEW, { name, link: LINK });
    expect(accessibleError(await response.text(), "name")).toBe("Name already used");
  }
  const found = await openList(
    manager,
    `${LIST}?${new URLSearchParams({ searchTerm: `میخواهم ${number}` })}`,
  );
  expect(found.ids).toHaveLength(1);
});

test("a repository may keep its own name in another spelling", async () => {
  const { id, name } = await aRepository(gatehouse);

  const response = await manager.submit(repositoryPath(id, "/update"), {
    name: name.toUpperCase(),
    link: LINK,
    description: "",
    version: "1",
  });

  expect(locationOf(response)).toBe(repositoryPath(id));
  expect((await findRepositoryRow(gatehouse, id))?.name).toBe(name.toUpperCase());
});

test("a change is saved with a new version, and recorded once with before and after", async () => {
  const before = await aRepository(gatehouse, { description: "old", created_at: 1, updated_at: 1 });
  const { id, name, link } = before;
  const version = await versionOn(await manager.get(repositoryPath(id, "/update")));
  const after = { name: newName(), link: "https://new.example/", description: "new" };

  const response = await manager.submit(repositoryPath(id, "/update"), { ...after, version });

  expect(locationOf(response)).toBe(repositoryPath(id));
  expect(readText(await (await manager.follow(response)).text())).toContain("Repository saved.");
  const row = await findRepositoryRow(gatehouse, id);
  expect(row).toMatchObject({ ...after, id, version: 2, created_at: 1 });
  expect(row?.updated_at).toBeGreaterThan(1);
  expect(await auditOf(gatehouse, id)).toEqual([
    {
      action: "repository.updated",
      actorId: admin.id,
      details: { before: { name, link, description: "old" }, after },
    },
  ]);
  const gone = await openList(
    manager,
    `${LIST}?${new URLSearchParams({ searchTerm: `${name} ` })}`,
  );
  expect(gone.ids).not.toContain(id);
  const found = await openList(manager, `${LIST}?searchTerm=new.example`);
  expect(found.ids).toContain(id);
});

test("a conflicting change answers 409 with both versions, and the next try succeeds", async () => {
  const { id } = await aRepository(gatehouse);
  const update = repositoryPath(id, "/update");
  const version = await versionOn(await manager.get(update));
  const theirs = { name: newName("theirs"), link: "https://theirs.example/", description: "T" };
  const mine = { name: newName("mine"), link: "https://mine.example/", description: "M" };
  await otherManager.submit(update, { ...theirs, version });

  const refused = await manager.submit(update, { ...mine, version });
  const page = await refused.text();

  expect(refused.status).toBe(409);
  const [notice = ""] = alertsOf(page);
  expect(notice).toContain("Changed by someone else");
  for (const value of Object.values(theirs)) expect(notice).toContain(value);
  for (const [field, value] of Object.entries(mine)) expect(typedIn(page, field)).toBe(value);
  expect(await findRepositoryRow(gatehouse, id)).toMatchObject({ ...theirs, version: 2 });
  expect(await auditOf(gatehouse, id)).toHaveLength(1);

  const saved = await manager.submit(update, { ...mine, version: typedIn(page, "version") ?? "" });
  expect(locationOf(saved)).toBe(repositoryPath(id));
  expect(await findRepositoryRow(gatehouse, id)).toMatchObject({ ...mine, version: 3 });
  expect(await auditOf(gatehouse, id)).toHaveLength(2);
});

test("another error in the form does not hide a conflict", async () => {
  const { id, link } = await aRepository(gatehouse);
  const update = repositoryPath(id, "/update");
  const version = await versionOn(await manager.get(update));
  await otherManager.submit(update, { name: newName("theirs"), link, version });

  const refused = await manager.submit(update, { name: newName("mine"), link: "", version });
  const again = await versionOn(refused);
  const response = await manager.submit(update, { name: newName("mine"), link, version: again });

  expect([refused.status, response.status]).toEqual([400, 409]);
  expect((await findRepositoryRow(gatehouse, id))?.version).toBe(2);
});

test.each(["", "x", "1.5", "0", "99", "1e400"])(
  "the version %j changes nothing",
  async (version) => {
    const before = await aRepository(gatehouse);

    const response = await manager.submit(repositoryPath(before.id, "/update"), {
      name: newName(),
      link: LINK,
      version,
    });

    expect([400, 409]).toContain(response.status);
    expect(await findRepositoryRow(gatehouse, before.id)).toEqual(before);
  },
);

test("the form changes only its own fields", async () => {
  const { id } = await aRepository(gatehouse);
  const posted = { id: "mine", nameKey: "x", name_key: "x", createdAt: "0", created_at: "0" };

  await manager.submit(repositoryPath(id, "/update"), {
    name: newName(),
    link: LINK,
    version: "1",
    ...posted,
  });

  const row = await findRepositoryRow(gatehouse, id);
  expect(row?.version).toBe(2);
  expect(row?.name_key).toBe(row?.name);
  expect(row?.created_at).toBeGreaterThan(0);
});

test("saving a repository unchanged keeps the version and records nothing", async () => {
  const { id, name, link, description } = await aRepository(gatehouse);
  const path = `/manager/repositories/${id}`;

  const response = await manager.submit(`${path}/update`, {
    name,
    link,
    description: description ?? "",
    version: "1",
  });

  expect(locationOf(response)).toBe(path);
  expect(await auditOf(gatehouse, id)).toEqual([]);
  expect(await findRepositoryRow(gatehouse, id)).toMatchObject({ version: 1 });
});

test.each([
  ["no version", "/update", { name: "x", link: "example.com" }],
  ["no intent", "", { x: "1" }],
])("a form with %s at %j gets a message above it", async (_name, rest, fields) => {
  const { id } = await aRepository(gatehouse);

  const response = await manager.submit(repositoryPath(id, rest), fields);

  expect(response.status).toBe(400);
  expect(alertsOf(await response.text())).toEqual([
    expect.stringMatching(/^This form was incomplete/),
  ]);
});
