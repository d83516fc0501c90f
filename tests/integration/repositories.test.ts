import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { foldForSearch, searchKey } from "../../app/db/fold.ts";
import { encodeCursor } from "../../app/lists/list-params.ts";
import { auditOf } from "../support/audit.ts";
import {
  accessibleError,
  alertsOf,
  type Browser,
  locationOf,
  newBrowser,
  readText,
  setCookieOf,
} from "../support/client.ts";
import { openList, walkList } from "../support/lists.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, aUser, signIn } from "../support/people.ts";
import {
  aRepository,
  findRepositoryRow,
  manyRepositories,
  newName,
} from "../support/repositories.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { startGatehouse } from "../support/worker.ts";

const LIST = "/manager/repositories";
const NEW = "/manager/repositories/new";
const LINK = "https://git.example/acme/gate";
const AT_ONCE = 50;
const MIGRATION = join(import.meta.dirname, "../../migrations/0011_lists.sql");

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { browser: otherManager } = await anAdmin(gatehouse);
const { browser: user } = await aSignedInUser(gatehouse);

/** Starts a product of its own, with an admin's browser. */
async function aLibrary() {
  const library = await startGatehouse();
  const { user: owner, browser } = await anAdmin(library);
  return { library, browser, owner, [Symbol.asyncDispose]: () => library[Symbol.asyncDispose]() };
}

const shelf = await aLibrary();
afterAll(() => shelf[Symbol.asyncDispose]());

/** 245 repositories: name, creation and change each have a different order, and many share a time. */
const BOOKS = await manyRepositories(
  shelf.library,
  Array.from({ length: 245 }, (_, index) => ({
    name: `Book ${String((index * 101) % 245).padStart(3, "0")}${index % 2 ? " Ž" : ""}`,
    created_at: 1_700_000_000_000 + (index % 7) * 1_000,
    updated_at: 1_750_000_000_000 + ((index * 37) % 245),
  })),
);

function pathOf(id: string, rest = ""): string {
  return `/manager/repositories/${id}${rest}`;
}

async function countRows(): Promise<number> {
  const row = await gatehouse.d1
    .prepare("SELECT count(*) AS n FROM repository")
    .first<{ n: number }>();
  return row?.n ?? -1;
}

function typedIn(page: string, field: string): string | undefined {
  return readPage(page).field(field)?.value;
}

/** Returns the scripts of a page that stored markup would have added. */
function alertScriptsOf(page: string): (string | null)[] {
  const scripts = [...readPage(page).document.querySelectorAll("script")];
  return scripts.map(({ textContent }) => textContent).filter((text) => text?.startsWith("alert("));
}

/** Returns the version in an update form. */
async function versionOn(response: Response): Promise<string> {
  const version = typedIn(await response.text(), "version");
  if (version === undefined) throw new Error("The form has no version");
  return version;
}

/** Returns the action and the fields of the Undo form in a page's toast. */
function undoOf(page: string) {
  const undo = readPage(page).find("button", "Undo");
  const action = undo?.closest("form")?.getAttribute("action");
  const intent = undo?.getAttribute("value");
  if (!action || !intent) throw new Error("The page offers no Undo");
  return { action, fields: { intent } };
}

/** Deletes a repository on its screen and restores it with the toast's Undo. */
async function deleteAndUndo(browser: Browser, id: string): Promise<Response> {
  const list = await browser.follow(browser.submit(pathOf(id), { intent: "delete" }));
  const { action, fields } = undoOf(await list.text());
  return browser.submit(action, fields);
}

test("an empty list says so and offers to create the first repository", async () => {
  await using empty = await aLibrary();

  const { text, ids, more } = await openList(empty.browser, LIST);

  expect(ids).toEqual([]);
  expect(text).toContain("No Data Create the first repository");
  expect(more).toBeUndefined();
});

test.each([
  ["", "updated", "desc"],
  ["?sort=updated&direction=asc", "updated", "asc"],
  ["?sort=created&direction=asc", "created", "asc"],
  ["?sort=created", "created", "desc"],
  ["?sort=name&direction=asc", "name", "asc"],
  ["?sort=name&direction=desc", "name", "desc"],
  ["?sort=link&direction=asc", "updated", "asc"],
  ["?sort=__proto__&direction=sideways", "updated", "desc"],
] as const)("the list %j shows every row once, by %s %s", async (search, sort, direction) => {
  const column = { updated: "updated_at", created: "created_at", name: "name_key" } as const;
  const sign = direction === "asc" ? 1 : -1;
  const keyOf = (book: (typeof BOOKS)[number]) => [book[column[sort]], book.id] as const;
  const expected = BOOKS.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    return sign * (a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]) ? -1 : 1);
  });

  const ids = await walkList(shelf.browser, LIST + search);

  expect(ids).toEqual(expected.map(({ id }) => id));
});

test("Load more adds pages up to ten, then continues behind a cursor", async () => {
  let shown = await openList(shelf.browser, `${LIST}?sort=name&direction=asc`);
  const urls: string[] = [];
  const counts = [shown.ids.length];
  while (shown.more) {
    urls.push(shown.more);
    shown = await openList(shelf.browser, shown.more);
    counts.push(shown.ids.length);
  }

  expect(counts).toEqual([20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 20, 40, 45]);
  const pages = urls.map((path) => new URL(path, LINK).searchParams.get("pages"));
  expect(pages).toEqual(["2", "3", "4", "5", "6", "7", "8", "9", "10", null, "2", "3"]);
  expect(urls.slice(9).every((path) => path.includes("after="))).toBe(true);
  expect(urls.every((path) => path.includes("sort=name&direction=asc"))).toBe(true);
});

test("a list shows its total, and a search its number of matches", async () => {
  const all = await openList(shelf.browser, LIST);
  const some = await openList(shelf.browser, `${LIST}?searchTerm=book+00`);

  expect(all.text).toContain("Showing 20 of 245");
  expect(some.ids).toHaveLength(10);
  expect(some.text).toContain('10 results for "book 00"');
});

test.each(["ž", "Z", "1 ž", "b", "bo", "book"])(
  "the search for %j is sorted and loads more like the list",
  async (searchTerm) => {
    const term = foldForSearch(searchTerm);
    const isShort = [...term].length < 3;
    const expected = BOOKS.filter((book) =>
      ` ${book.search_key.replaceAll(/[\s./:-]/g, " ")}`.includes(isShort ? ` ${term}` : term),
    )
      .toSorted((one, other) => (one.name_key < other.name_key ? -1 : 1))
      .map(({ id }) => id);

    const search = new URLSearchParams({ searchTerm, sort: "name", direction: "asc" });
    const ids = await walkList(shelf.browser, `${LIST}?${search}`);

    expect(expected.length).toBeGreaterThan(10);
    expect(ids).toEqual(expected);
  },
);

test("a term with more than 1,000 matches counts 1,000+ and shows every match once", async () => {
  await using crowd = await aLibrary();
  // 1,025 rows, generated in SQL.
  await crowd.library.d1.exec(
    "INSERT INTO repository (id, name, name_key, link, search_key, created_at, updated_at) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1025) SELECT printf('r%04d', i), 'common ' || i, 'common ' || i, 'https://a.bc/', 'common ' || i || char(10) || 'https://a.bc/', i % 50, i FROM n",
  );

  const { text } = await openList(crowd.browser, `${LIST}?searchTerm=common`);
  const ids = await walkList(crowd.browser, `${LIST}?searchTerm=common&sort=created`);
  const short = await openList(crowd.browser, `${LIST}?searchTerm=co`);
  const all = await openList(crowd.browser, LIST);
  const rare = await openList(crowd.browser, `${LIST}?searchTerm=common+102`);

  expect(text).toContain('1,000+ results for "common"');
  expect(short.text).toContain('1,000+ results for "co"');
  expect(all.text).toContain("Showing 20 of 1,025");
  expect(ids).toHaveLength(1_025);
  expect(new Set(ids).size).toBe(1_025);
  expect(rare.text).toContain('7 results for "common 102"');
});

const ARABIC = Array.from({ length: 300 }, (_, index) =>
  String.fromCodePoint(0x0628 + ((index * 7) % 19)),
).join("");

const SEARCHED = {
  percent: { name: "100% sure", link: "https://percent.example/" },
  underscore: { name: "under_score", link: "https://one.example/" },
  undergone: { name: "underXscore", link: "https://two.example/" },
  quotes: { name: `"double" and 'single'`, link: "https://three.example/" },
  operators: { name: "Zeus AND (Hera OR NOT Leto) NEAR* ^x", link: "https://four.example/" },
  backslash: { name: "back\\slash; DROP TABLE repository;--", link: "https://five.example/" },
  latin: { name: "Crème Brûlée", link: "https://six.example/", description: "Ångström" },
  strokes: { name: "Łódź Smørrebrød", link: "https://l.example/", description: "Straße, Đja" },
  arabic: { name: "مكتبة الأدوات", link: "https://seven.example/", description: ARABIC },
  greek: { name: "ΟΔΟΣΗΜΟ", link: "https://eight.example/" },
  chinese: { name: "开源软件仓库", link: "https://nine.example/" },
  emoji: { name: "🦊 tale", link: "https://ten.example/" },
} as const;

const index = await aLibrary();
afterAll(() => index[Symbol.asyncDispose]());
for (const [id, row] of Object.entries(SEARCHED)) await aRepository(index.library, { id, ...row });

test.each([
  ["sure", ["percent"]],
  ["SURE", ["percent"]],
  ["  sure  ", ["percent"]],
  ["00% s", ["percent"]],
  ["%", ["percent"]],
  ["0%", ["percent"]],
  ["_", ["underscore"]],
  ["r_s", ["underscore"]],
  ["under_score", ["underscore"]],
  ['"', ["quotes"]],
  ['"double"', ["quotes"]],
  ['e" a', ["quotes"]],
  ["'single'", ["quotes"]],
  ["Hera OR", ["operators"]],
  ["Hera OR sure", []],
  ["NOT Leto", ["operators"]],
  ["NEAR*", ["operators"]],
  ["sur*", []],
  ["^x", ["operators"]],
  ["search_key:sure", []],
  ["(Hera", ["operators"]],
  ["\\", ["backslash"]],
  ["k\\s", ["backslash"]],
  ["DROP TABLE repository;--", ["backslash"]],
  ["creme", ["latin"]],
  ["CRÈME", ["latin"]],
  ["ème Brû", ["latin"]],
  ["cre\u0300me", ["latin"]],
  ["angst", ["latin"]],
  ["lodz smorrebrod", ["strokes"]],
  ["ŁÓDŹ SMØR", ["strokes"]],
  ["strasse", ["strokes"]],
  ["dja", ["strokes"]],
  ["م", ["arabic"]],
  ["دو", []],
  ["الأدوات", ["arabic"]],
  ["ﻣﻜﺘﺒﺔ", ["arabic"]],
  [ARABIC.slice(40, 240), ["arabic"]],
  [ARABIC.slice(40, 66), ["arabic"]],
  ["οδος", ["greek"]],
  ["ΔΟΣ", ["greek"]],
  ["ς", []],
  ["源", ["chinese"]],
  ["软件", ["chinese"]],
  ["源软件", ["chinese"]],
  ["🦊", ["emoji"]],
  ["🦊 t", ["emoji"]],
  ["six.example", ["latin"]],
  ["https://ten", ["emoji"]],
  ["nothing like it", []],
])("the term %j finds %j", async (searchTerm, expected) => {
  const { status, ids, text } = await openList(
    index.browser,
    `${LIST}?${new URLSearchParams({ searchTerm })}`,
  );

  expect(status).toBe(200);
  expect(ids.toSorted()).toEqual(expected.toSorted());
  if (expected.length === 0) expect(text).toContain(`No results for "${searchTerm.trim()}`);
  else expect(text).toContain(`${expected.length} results for "`);
});

test("a term of spaces shows the whole list", async () => {
  const { ids, text } = await openList(index.browser, `${LIST}?searchTerm=+%09+`);

  expect(ids).toHaveLength(Object.keys(SEARCHED).length);
  expect(text).toContain("Showing 12 of 12");
});

test("control characters in a term cause no error", async () => {
  for (const searchTerm of [
    "\u0000",
    "sure\u0000",
    "\u0000sure",
    "su\u0000re",
    '"\u0000"',
    "a\nb",
  ]) {
    const path = `${LIST}?${new URLSearchParams({ searchTerm })}`;
    expect((await openList(index.browser, path)).status).toBe(200);
  }
});

test("a term with markup is shown as text", async () => {
  const searchTerm = `"><script>alert(1)</script>`;

  const response = await index.browser.get(`${LIST}?${new URLSearchParams({ searchTerm })}`);
  const page = await response.text();

  expect(alertScriptsOf(page)).toEqual([]);
  expect(readText(page)).toContain(`No results for "${searchTerm}"`);
  expect(typedIn(page, "searchTerm")).toBe(searchTerm);
});

test("a term of more than 200 characters is cut, and the page says so", async () => {
  const cut = await openList(
    index.browser,
    `${LIST}?${new URLSearchParams({ searchTerm: ARABIC.slice(40, 241) })}`,
  );
  const whole = await openList(
    index.browser,
    `${LIST}?${new URLSearchParams({ searchTerm: ARABIC.slice(40, 240) })}`,
  );

  expect(cut.ids).toEqual(["arabic"]);
  expect(cut.text).toContain("Your search was too long and was cut to 200 characters.");
  expect(whole.text).not.toContain("too long");
});

test.each([
  "x",
  "",
  "%00",
  btoa("null"),
  btoa('{"value":{},"id":"r1"}'),
  btoa(JSON.stringify({ value: 1, id: "x".repeat(65) })),
])("the malformed cursor %j is ignored, and the page says so", async (after) => {
  const path = `${LIST}?${new URLSearchParams({ after, sort: "name", direction: "asc" })}`;
  const { status, ids, text } = await openList(shelf.browser, path);

  expect(status).toBe(200);
  expect(text).toContain("That place in the list no longer exists");
  expect(ids).toEqual((await openList(shelf.browser, `${LIST}?sort=name&direction=asc`)).ids);
});

test("a cursor of another order causes no error", async () => {
  for (const value of ["book", 5, null, -1, "'", 9e99]) {
    for (const sort of ["name", "created", "updated"]) {
      const after = encodeCursor({ value, id: "r1" });
      const path = `${LIST}?${new URLSearchParams({ after, sort })}`;
      expect((await openList(shelf.browser, path)).status).toBe(200);
    }
  }
});

test("users see the same list and the same repository", async () => {
  const { id, name } = await aRepository(gatehouse, { description: "one\ntwo" });

  const list = await openList(
    user,
    `/app/repositories?${new URLSearchParams({ searchTerm: name })}`,
  );
  const detail = await user.get(`/app/repositories/${id}`);

  expect(list.ids).toEqual([id]);
  expect(detail.status).toBe(200);
  expect(readText(await detail.text())).toContain(`${name} Link ${LINK} Description one two`);
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
    [manager, pathOf(id)],
    [manager, pathOf(id, "/update")],
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

test("an export has every row of a search, and no cell is a formula", async () => {
  await using own = await aLibrary();
  await manyRepositories(
    own.library,
    Array.from({ length: 520 }, (_, count) => ({
      name: `book ${count}`,
      created_at: 1_700_000_000_000 + (count % 3),
    })),
  );
  const risky = await aRepository(own.library, {
    name: '=HYPERLINK("x")',
    description: "+1, two\nlines",
    created_at: 1_600_000_000_000,
  });
  const page = readPage(await (await own.browser.get(`${LIST}?searchTerm=book`)).text());
  expect(page.linkTo("Export as CSV")).toBe("/manager/repositories/export?searchTerm=book");

  const response = await own.browser.get("/manager/repositories/export");
  const found = await own.browser.get(
    "/manager/repositories/export?searchTerm=book+51&sort=x&page=-1",
  );

  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toBe(
    'attachment; filename="repositories.csv"',
  );
  const lines = (await response.text()).split("\r\n");
  expect(lines[0]).toBe("id,name,link,description,created,updated");
  const ids = lines.slice(1).map((line) => line.split(",")[0]);
  expect(new Set(ids).size).toBe(522);
  expect(lines.at(-2)).toBe(
    `${risky.id},"'=HYPERLINK(""x"")",https://git.example/acme/gate,"'+1, two\nlines",2020-09-13T12:26:40.000Z,${new Date(risky.updated_at).toISOString()}`,
  );
  // 51 and 510 to 519.
  expect((await found.text()).split("\r\n")).toHaveLength(1 + 11 + 1);
});

test("the migration updates keys that were folded by the old rules", async () => {
  const name = "Łódź Smørrebrød Straße Þing ﬁ \u200cمی\u200cخواهم";
  const old = "łodz smørrebrød straße þing fi \u200cمی\u200cخواهم";
  const { id } = await aRepository(gatehouse, { name, link: "x", search_key: old, name_key: old });
  const { id: personId } = await aUser(gatehouse, { name, email: "x", search_key: old });
  const updates = readFileSync(MIGRATION, "utf8").match(/^UPDATE[^;]*;/gm) ?? [];

  expect(updates.length).toBeGreaterThan(4);
  for (const update of updates) await gatehouse.d1.prepare(update).run();

  expect(await findRepositoryRow(gatehouse, id)).toMatchObject({
    search_key: searchKey(name),
    name_key: old.replaceAll("\u200c", ""),
  });
  const found = await openList(manager, `${LIST}?searchTerm=lodz+smorrebrod`);
  expect(found.ids).toEqual([id]);
  const person = await gatehouse.d1
    .prepare("SELECT search_key FROM user WHERE id = ?")
    .bind(personId);
  expect(await person.first("search_key")).toBe(searchKey(name));
});

test("creating a repository trims its fields, completes its link and is recorded once", async () => {
  const name = newName("Crème");

  const response = await manager.submit(NEW, {
    name: `  ${name}  `,
    link: "Git.example/acme",
    description: " one\r\ntwo ",
  });
  const path = locationOf(response) ?? "";
  const page = await (await manager.follow(response)).text();

  expect(path).toMatch(/^\/manager\/repositories\/[\w-]{36}$/);
  expect(readText(page)).toContain("Repository created.");
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
    const before = [await countRows(), await findRepositoryRow(gatehouse, id)];
    const typed = { name: newName(), link: LINK, description: "kept", [field]: value };

    for (const response of [
      await manager.submit(NEW, typed),
      await manager.submit(pathOf(id, "/update"), { ...typed, version: "1" }),
    ]) {
      expect(response.status).toBe(400);
      const page = await response.text();
      expect(accessibleError(page, field)).toBe(message);
      expect(alertsOf(page)).toEqual([message]);
      for (const [name, text] of Object.entries(typed)) {
        if (name !== field) expect(typedIn(page, name)).toBe(text);
      }
    }
    expect([await countRows(), await findRepositoryRow(gatehouse, id)]).toEqual(before);
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
  const count = await countRows();

  for (const name of [
    `Ångström ${number}`,
    `  ÅNGSTRÖM   ${number} `,
    `A\u030angstro\u0308m ${number}`,
    `Åｎｇström ${number}`,
  ]) {
    const typed = { name, link: "b.example", description: "mine" };
    for (const response of [
      await manager.submit(NEW, typed),
      await manager.submit(pathOf(other, "/update"), { ...typed, version: "1" }),
    ]) {
      expect(response.status).toBe(400);
      const page = await response.text();
      expect(accessibleError(page, "name")).toBe("Name already used");
      expect(typedIn(page, "link")).toBe("b.example");
      expect(typedIn(page, "description")).toBe("mine");
    }
  }
  expect(await countRows()).toBe(count);
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

  const response = await manager.submit(pathOf(id, "/update"), {
    name: name.toUpperCase(),
    link: LINK,
    description: "",
    version: "1",
  });

  expect(locationOf(response)).toBe(pathOf(id));
  expect((await findRepositoryRow(gatehouse, id))?.name).toBe(name.toUpperCase());
});

test("a change is saved with a new version, and recorded once with before and after", async () => {
  const before = await aRepository(gatehouse, { description: "old", created_at: 1, updated_at: 1 });
  const { id, name, link } = before;
  const version = await versionOn(await manager.get(pathOf(id, "/update")));
  const after = { name: newName(), link: "https://new.example/", description: "new" };

  const response = await manager.submit(pathOf(id, "/update"), { ...after, version });

  expect(locationOf(response)).toBe(pathOf(id));
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
  const update = pathOf(id, "/update");
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
  expect(locationOf(saved)).toBe(pathOf(id));
  expect(await findRepositoryRow(gatehouse, id)).toMatchObject({ ...mine, version: 3 });
  expect(await auditOf(gatehouse, id)).toHaveLength(2);
});

test("another error in the form does not hide a conflict", async () => {
  const { id, link } = await aRepository(gatehouse);
  const update = pathOf(id, "/update");
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

    const response = await manager.submit(pathOf(before.id, "/update"), {
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

  await manager.submit(pathOf(id, "/update"), {
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

test("a deletion is recorded once, and Undo restores the repository as it was", async () => {
  const before = await aRepository(gatehouse, {
    name: newName("Ångström"),
    description: "one\ntwo",
    version: 7,
    created_at: 1_000,
    updated_at: 2_000,
  });
  const { id, name } = before;

  const deleted = await manager.submit(pathOf(id), { intent: "delete" });
  expect(locationOf(deleted)).toBe(LIST);
  const list = await (await manager.follow(deleted)).text();
  expect(readText(list)).toContain("Repository deleted. Undo");
  expect(await findRepositoryRow(gatehouse, id)).toBeNull();
  expect((await manager.get(pathOf(id))).status).toBe(404);
  const [record, ...others] = await auditOf(gatehouse, id);
  expect(others).toEqual([]);
  expect(record).toMatchObject({ action: "repository.deleted", actorId: admin.id });
  expect(record?.details.before).toMatchObject({ name, version: 7 });

  const { action, fields } = undoOf(list);
  const restored = await manager.submit(action, fields);
  expect(locationOf(restored)).toBe(pathOf(id));
  expect(readText(await (await manager.follow(restored)).text())).toContain("Repository restored.");
  expect(await findRepositoryRow(gatehouse, id)).toEqual(before);
  const records = await auditOf(gatehouse, id);
  expect(records.map((event) => event.action)).toEqual([
    "repository.deleted",
    "repository.restored",
  ]);
  const found = await openList(manager, `${LIST}?${new URLSearchParams({ searchTerm: name })}`);
  expect(found.ids).toEqual([id]);
});

test("the total follows creations, deletions and restorations", async () => {
  await using own = await aLibrary();
  const total = async () =>
    /Showing \d+ of \d+|No Data/.exec((await openList(own.browser, LIST)).text)?.[0];

  const created = await own.browser.submit(NEW, { name: "one", link: LINK });
  const { id } = await aRepository(own.library, { name: "two" });
  expect(locationOf(created)).toBeDefined();
  expect(await total()).toBe("Showing 2 of 2");
  await own.browser.submit(pathOf(id), { intent: "delete" });
  expect(await total()).toBe("Showing 1 of 1");
  await own.browser.submit(pathOf(id), { intent: "restore" });
  expect(await total()).toBe("Showing 2 of 2");
});

test("a repository that cannot be restored stays deleted, with a message", async () => {
  const taken = await aRepository(gatehouse);
  const list = await manager.follow(manager.submit(pathOf(taken.id), { intent: "delete" }));
  const { action, fields } = undoOf(await list.text());
  const successor = await aRepository(gatehouse, { name: taken.name.toUpperCase() });
  const there = await aRepository(gatehouse);

  for (const [path, next, text] of [
    [action, LIST, "It could not be restored: its name is in use again."],
    [pathOf("never-was"), LIST, "It could not be restored: there is no record of it."],
    [pathOf(there.id), pathOf(there.id), "It has been restored already."],
  ] as const) {
    const response = await manager.submit(path, fields);
    expect(locationOf(response)).toBe(next);
    expect(readText(await (await manager.follow(response)).text())).toContain(text);
  }
  expect(await findRepositoryRow(gatehouse, taken.id)).toBeNull();
  expect(await findRepositoryRow(gatehouse, successor.id)).toEqual(successor);
  expect(await findRepositoryRow(gatehouse, there.id)).toEqual(there);
  expect(await auditOf(gatehouse, taken.id)).toHaveLength(1);
  expect(await auditOf(gatehouse, there.id)).toEqual([]);
});

test("a second Undo restores nothing, with a message", async () => {
  const before = await aRepository(gatehouse);
  const list = await manager.follow(manager.submit(pathOf(before.id), { intent: "delete" }));
  const { action, fields } = undoOf(await list.text());
  await manager.submit(action, fields);

  const again = await otherManager.submit(action, fields);

  const page = await (await otherManager.follow(again)).text();
  expect(readText(page)).toContain("It has been restored already.");
  expect(readText(page)).not.toContain("in use again");
  expect(await findRepositoryRow(gatehouse, before.id)).toEqual(before);
  expect(await auditOf(gatehouse, before.id)).toHaveLength(2);
});

test("Undo restores the state before the last deletion", async () => {
  const { id } = await aRepository(gatehouse);
  await deleteAndUndo(manager, id);
  const name = newName("later");
  await manager.submit(pathOf(id, "/update"), { name, link: LINK, version: "1" });
  const before = await findRepositoryRow(gatehouse, id);

  await deleteAndUndo(manager, id);

  expect(before).toMatchObject({ name, version: 2 });
  expect(await findRepositoryRow(gatehouse, id)).toEqual(before);
});

test("an unknown repository answers 404 everywhere", async () => {
  for (const id of ["nothing", crypto.randomUUID(), "%00", "'", "x".repeat(500)]) {
    const responses = [
      await user.get(`/app/repositories/${id}`),
      await manager.get(pathOf(id)),
      await manager.get(pathOf(id, "/update")),
      await manager.submit(pathOf(id, "/update"), { name: newName(), link: LINK, version: "1" }),
      await manager.submit(pathOf(id), { intent: "delete" }),
    ];
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
  }
});

test("users get 403 on every write, and nothing is written", async () => {
  const kept = await aRepository(gatehouse);
  const deleted = await aRepository(gatehouse);
  await manager.submit(pathOf(deleted.id), { intent: "delete" });
  const count = await countRows();
  const fields = { name: newName(), link: LINK, version: "1" };

  const responses = [
    await user.get(LIST),
    await user.get(NEW),
    await user.get(pathOf(kept.id)),
    await user.get(pathOf(kept.id, "/update")),
    await user.submit(NEW, fields),
    await user.submit(pathOf(kept.id, "/update"), fields),
    await user.submit(pathOf(kept.id), { intent: "delete" }),
    await user.submit(pathOf(deleted.id), { intent: "restore" }),
    await user.submit(`${NEW}.data`, fields),
    await user.submit(`${pathOf(kept.id, "/update")}.data`, fields),
    await user.submit(`${pathOf(kept.id)}.data`, { intent: "delete" }),
    await user.submit(`${pathOf(deleted.id)}.data`, { intent: "restore" }),
    await user.get('/_server/repository-name-availability?payload={"name":"zod"}'),
  ];

  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 403));
  expect(await countRows()).toBe(count);
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
    await anonymous.submit(pathOf(kept.id), { intent: "delete" }),
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
  await manager.submit(pathOf(id), { intent: "delete" });
  expect(await ask({ name })).toBe(true);
});

test("no page makes more than two round trips to the database", async () => {
  const { id } = await aRepository(gatehouse);

  for (const [browser, path] of [
    [user, "/app/repositories"],
    [user, "/app/repositories?searchTerm=gate&sort=name&pages=3"],
    [user, `/app/repositories/${id}`],
    [manager, LIST],
    [manager, `${LIST}?searchTerm=g`],
    [manager, `${LIST}?after=${encodeCursor({ value: 5, id })}`],
    [manager, NEW],
    [manager, pathOf(id)],
    [manager, pathOf(id, "/update")],
  ] as const) {
    for (const response of [
      await browser.get(path),
      await browser.get(path.replace(/\?|$/, ".data$&")),
    ]) {
      expect(response.status).toBe(200);
      const [, count] =
        /d1;desc="(\d+) round trips"/.exec(response.headers.get("server-timing") ?? "") ?? [];
      expect(Number(count), path).toBeLessThanOrEqual(2);
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
        browser.submit(pathOf(id, "/update"), {
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

test("concurrent deletions and restorations each happen and are recorded once", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const before = await aRepository(gatehouse);
    const together = (intent: string) =>
      Promise.all(Array.from({ length: 20 }, () => manager.submit(pathOf(before.id), { intent })));

    const deletions = await together("delete");
    const restorations = await together("restore");

    const statuses = deletions.map(({ status }) => status);
    expect(statuses.filter((status) => status === 302)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(19);
    const saying = (message: string) =>
      restorations.filter((response) =>
        setCookieOf(response, "gatehouse.toast")?.includes(encodeURIComponent(message)),
      );
    expect(saying("repositories:toast.restored")).toHaveLength(1);
    expect(saying("repositories:restore.thereAgain")).toHaveLength(19);
    expect(await findRepositoryRow(gatehouse, before.id)).toEqual(before);
    expect(await auditOf(gatehouse, before.id)).toHaveLength(2);
  }
});

test("a change at the moment of a deletion is not lost by the restoration", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { id } = await aRepository(gatehouse);
    const name = newName("changed");

    const [changed, deleted] = await Promise.all([
      manager.submit(pathOf(id, "/update"), { name, link: LINK, version: "1" }),
      otherManager.submit(pathOf(id), { intent: "delete" }),
    ]);

    expect([302, 404, 409]).toContain(changed.status);
    expect([302, 404, 409]).toContain(deleted.status);
    if (deleted.status === 302) await manager.submit(pathOf(id), { intent: "restore" });
    const row = await findRepositoryRow(gatehouse, id);
    expect(row?.version).toBe(changed.status === 302 ? 2 : 1);
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
