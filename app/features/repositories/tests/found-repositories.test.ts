import { afterAll, expect, test } from "vitest";
import type { Browser } from "../../../../tests/support/client.ts";
import { anAdmin, aSignedInUser, aUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { foldForSearch } from "../../../db/fold.ts";
import { SERVER_FEATURES } from "../../../features.server.ts";
import { mayDo } from "../../access/permissions.ts";
import type { Role } from "../../access/role-names.ts";
import { THINGS } from "../../access/things.ts";
import { aRepository, findRepositoryRow } from "./repositories.ts";

const SEARCH = "/_server/record-search";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);
const { browser: user } = await aSignedInUser(gatehouse);

/** The totals of other things that somebody with these roles searches, without any. */
function noneOf(roles: Role[]) {
  const others = Object.keys(SERVER_FEATURES.found).filter((kind) => {
    const thing = THINGS[kind];
    return kind !== "repository" && thing && mayDo({ role: roles.join(",") }, thing.needs);
  });
  return Object.fromEntries(others.map((kind) => [kind, { count: 0, isCapped: false }]));
}

async function search(browser: Browser, searchTerm: unknown) {
  const payload = JSON.stringify({ searchTerm });
  const response = await browser.get(`${SEARCH}?${new URLSearchParams({ payload })}`);
  expect(response.status).toBe(200);
  const { things, ...found } = JSON.parse(await response.text()).result as {
    users: { id: string; name: string; email: string }[];
    organizations: { id: string; name: string; slug: string }[];
    things: { repository: { id: string; name: string; detail: string; excerpt?: string }[] };
    totals: Record<string, { count: number; isCapped: boolean }>;
  };
  return { ...found, repositories: things.repository };
}

test("a search finds users by name and e-mail, and repositories by name, link and description", async () => {
  const person = await aUser(gatehouse, { name: "Zuhura Wanjiru", email: "zw@quokka.example" });
  const named = await aRepository(gatehouse, { name: "quokka tracks" });
  const linked = await aRepository(gatehouse, { link: "https://quokka.example/x" });
  const described = await aRepository(gatehouse, { description: "All about the Quokka" });

  const found = await search(manager, "  QUOKKA ");

  expect(found.users).toEqual([
    { id: person.id, name: "Zuhura Wanjiru", avatar: null, email: person.email },
  ]);
  expect(found.repositories.map(({ id }) => id).sort()).toEqual(
    [named.id, linked.id, described.id].sort(),
  );
  expect(found.repositories).toContainEqual({
    id: named.id,
    name: "quokka tracks",
    detail: named.link,
  });
  expect((await search(manager, "wanjiru")).users).toEqual(found.users);
});

test.each([
  ["200 Arabic letters", "ض".repeat(200), `${"ض".repeat(200)}ب`],
  ["a percent sign", "0%ჟ", "100%ჟ"],
  ["an underscore", "_ჟ_", "a_ჟ_b"],
  ["quotes", `"ჟ' OR`, `say "ჟ' OR 1=1 --`],
])("a search finds %s literally", async (_what, searchTerm, description) => {
  const { id } = await aRepository(gatehouse, { description });
  await aRepository(gatehouse, { description: "neither here nor there" });

  const { repositories } = await search(manager, searchTerm);

  expect(repositories.map((found) => found.id)).toContain(id);
  expect(repositories.length).toBeLessThanOrEqual(5);
  for (const found of repositories) {
    const row = await findRepositoryRow(gatehouse, found.id);
    expect(row?.search_key).toContain(foldForSearch(searchTerm));
  }
});

test("a term of one or two characters finds the beginnings of names and e-mails", async () => {
  const named = await aRepository(gatehouse, { name: "ჟღერა" });
  await aRepository(gatehouse, { name: "other", description: "ჟღერა" });
  const person = await aUser(gatehouse, { name: "Ünal ჟ", email: "ჟღ@quokka.example" });

  for (const term of ["ჟ", "ჟღ"]) {
    const { users, repositories } = await search(manager, term);
    expect(users.map(({ id }) => id)).toEqual([person.id]);
    expect(repositories.map(({ id }) => id)).toEqual([named.id]);
  }
});

test("a search returns at most five of a kind, those that begin with the term first", async () => {
  const begins = await aRepository(gatehouse, { name: "wombat", updated_at: 1 });
  const person = await aUser(gatehouse, { name: "Wombat", created_at: 1 });
  for (let index = 0; index < 6; index += 1) {
    await aRepository(gatehouse, { name: `the wombat ${index}`, updated_at: 1_000 + index });
    await aUser(gatehouse, { name: `A. Wombat ${index}`, created_at: 1_000 + index });
  }

  const { users, repositories, totals } = await search(manager, "wombat");

  expect(totals).toEqual({
    ...noneOf(["admin"]),
    users: { count: 7, isCapped: false },
    organizations: { count: 0, isCapped: false },
    repository: { count: 7, isCapped: false },
  });

  expect(repositories.map(({ name }) => name)).toEqual([
    begins.name,
    "the wombat 5",
    "the wombat 4",
    "the wombat 3",
    "the wombat 2",
  ]);
  expect(users.map(({ name }) => name)).toEqual([
    person.name,
    "A. Wombat 5",
    "A. Wombat 4",
    "A. Wombat 3",
    "A. Wombat 2",
  ]);
});

test("a user without access to users finds repositories only", async () => {
  await aUser(gatehouse, { name: "Numbat Person" });
  const { id, name, link } = await aRepository(gatehouse, { name: "numbat" });

  expect(await search(user, "numbat")).toEqual({
    totals: {
      ...noneOf(["user"]),
      users: { count: 0, isCapped: false },
      organizations: { count: 0, isCapped: false },
      repository: { count: 1, isCapped: false },
    },
    users: [],
    organizations: [],
    repositories: [{ id, name, detail: link }],
  });
  expect((await search(manager, "numbat")).users).toHaveLength(1);
});

test("a repository that is found by its description says which part of it", async () => {
  await aRepository(gatehouse, {
    name: "quiet-river",
    description:
      "Tools of the team.\nWhat runs every night, and who repairs the Thylacine when it stops.",
  });

  const { repositories } = await search(user, "thylacine");

  expect(repositories.map(({ excerpt }) => excerpt)).toEqual([
    "…night, and who repairs the Thylacine when it stops.",
  ]);
});
