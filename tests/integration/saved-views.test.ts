import { afterAll, expect, test } from "vitest";
import { type Browser, locationOf, newBrowser, toastOf } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, impersonate } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const USERS = "/manager/users";
const BANNED = "searchTerm=ada&status=banned";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

type Saving = { list?: string; name?: string; search?: string };

function save(browser: Browser, { list = USERS, name = "Banned", search = BANNED }: Saving = {}) {
  return browser.submit("/saved-views", { intent: "save", list, name, search });
}

/** Returns the views that a list offers: the URL of each by its name. */
async function viewsAt(browser: Browser, path = USERS) {
  const page = readPage(await (await browser.get(path)).text());
  const [menu] = page.findAll("group", "Views");
  const links = [...(menu?.querySelectorAll("a") ?? [])];
  return Object.fromEntries(links.map((link) => [link.textContent, link.getAttribute("href")]));
}

test("a saved view is a link to the list as it was, without the position", async () => {
  const { browser } = await anAdmin(gatehouse);

  const response = await save(browser, { search: `pages=3&${BANNED}&after=x` });

  expect(locationOf(response)).toBe(`${USERS}?pages=3&${BANNED}&after=x`);
  expect(await toastOf(browser, response)).toBe('View "Banned" saved');
  expect(await viewsAt(browser)).toEqual({ Banned: `${USERS}?${BANNED}` });
  expect(await viewsAt(browser, "/manager/repositories")).toEqual({});
  expect(await viewsAt((await anAdmin(gatehouse)).browser)).toEqual({});
});

test("saving under a used name, in capitals or not, replaces that view", async () => {
  const { browser } = await anAdmin(gatehouse);
  await save(browser);

  await save(browser, { name: " BANNED ", search: "sort=name" });

  expect(await viewsAt(browser)).toEqual({ BANNED: `${USERS}?sort=name` });
});

test("a list has twenty views at most, even when several are saved at once", async () => {
  const { browser } = await anAdmin(gatehouse);
  const names = Array.from({ length: 24 }, (_, index) => `View ${index}`);

  await Promise.all(names.map((name) => save(browser, { name })));

  const kept = Object.keys(await viewsAt(browser));
  expect(kept).toHaveLength(20);
  const refused = await save(browser, { name: "One more" });
  expect(await toastOf(browser, refused)).toBe(
    "A list can have 20 views. Delete one, then save again.",
  );
  const replaced = await save(browser, { name: kept[0] ?? "", search: "sort=email" });
  expect(await toastOf(browser, replaced)).toBe(`View "${kept[0]}" saved`);
});

test("a view is deleted by its owner only", async () => {
  const { browser } = await anAdmin(gatehouse);
  const { browser: other } = await anAdmin(gatehouse);
  await save(browser, { list: "/app/repositories" });
  const page = readPage(await (await browser.get("/app/repositories")).text());
  const fields = { intent: "delete", list: "/app/repositories", search: "" };
  const id = page.field("id")?.value ?? "";
  expect(id).not.toBe("");

  await other.submit("/saved-views", { ...fields, id });
  expect(Object.keys(await viewsAt(browser, "/app/repositories"))).toEqual(["Banned"]);

  const response = await browser.submit("/saved-views", { ...fields, id });
  expect(locationOf(response)).toBe("/app/repositories");
  expect(await viewsAt(browser, "/app/repositories")).toEqual({});
});

test("a view without a name is refused, and a long name is cut", async () => {
  const { browser } = await anAdmin(gatehouse);

  const nameless = await save(browser, { name: "  " });
  expect(locationOf(nameless)).toBe(`${USERS}?${BANNED}`);
  expect(await toastOf(browser, nameless)).toBe("Give the view a name.");

  await save(browser, { name: "ن".repeat(200) });
  expect(Object.keys(await viewsAt(browser))).toEqual(["ن".repeat(60)]);
});

test.each([
  ["an unknown list", { list: "https://evil.example" }],
  ["a list without views", { list: "/manager/account" }],
  ["a too long state", { search: "x".repeat(2_001) }],
])("%s is not saved, and leads home", async (_, view) => {
  const { browser } = await anAdmin(gatehouse);

  expect(locationOf(await save(browser, view))).toBe("/");
  expect(await viewsAt(browser)).toEqual({});
});

test("nothing is saved for an anonymous visitor, or in a user's name", async () => {
  const anonymous = await save(newBrowser(gatehouse));
  expect(locationOf(anonymous)).toMatch(/^\/login\?redirect=/);

  const { user } = await aSignedInUser(gatehouse);
  const { browser } = await anAdmin(gatehouse);
  await impersonate(browser, user.id);
  await save(browser, { list: "/app/repositories" });

  expect(
    await gatehouse.d1.prepare("SELECT 1 FROM saved_view WHERE user_id = ?").bind(user.id).first(),
  ).toBe(null);
});
