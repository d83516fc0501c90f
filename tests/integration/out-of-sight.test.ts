import { afterAll, expect, test } from "vitest";
import { navigationIn, screensIn } from "../../app/features/access/navigation.ts";
import type { Browser } from "../support/client.ts";
import { anOrganization } from "../support/organizations.ts";
import { readPage, textOf } from "../support/page.ts";
import { anAdmin, aSignedInUser, aUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

// What few readers need is out of sight: folded, on the last part of the settings, or gone.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");
const { browser: manager } = await anAdmin(gatehouse);
const { browser: person, user } = await aSignedInUser(gatehouse);
const { organization } = await anOrganization(gatehouse, {}, { owner: user });

const LISTS_OF_FEATURES = screensIn("manager").map(({ label }) => t(label));

async function open(browser: Browser, path: string) {
  return readPage(await (await browser.get(path)).text()).document;
}

function textsOf(document: Document, selector: string): string[] {
  return [...document.querySelectorAll(selector)].map(textOf);
}

test("the navigation of the back-office has six entries and one for each list of a feature, and the settings end with System", async () => {
  const count = 6 + LISTS_OF_FEATURES.length;
  const document = await open(manager, "/manager/settings/access");
  expect(textsOf(document, "aside nav a").slice(0, count)).toEqual(
    ["dashboard.title", "users", "organizations"]
      .map((key) => t(`manager:${key}`))
      .concat(LISTS_OF_FEATURES)
      .concat(["activity", "mail", "settings"].map((key) => t(`manager:${key}`))),
  );
  expect(new Set(textsOf(document, "aside nav a")).size).toBe(count);

  const ofFeatures = navigationIn("settings").map(({ label }) => label);
  expect(textsOf(document, "main nav[aria-label] a")).toEqual(
    [
      ...(["settings:nav.access", "settings:nav.security", "settings:nav.brand"] as const),
      ...ofFeatures,
      "settings:nav.system" as const,
    ].map((label) => t(label)),
  );
});

test.each([
  ["/manager/settings/security", manager, t("settings:roles.title")],
  ["/manager/settings/access", manager, t("settings:emails.title")],
  [
    `/app/organizations/${organization.slug}/settings`,
    person,
    t("organizations:settings.permissions"),
  ],
])("%s folds what few readers need", async (path, browser, title) => {
  const folds = [...(await open(browser, path)).querySelectorAll("main details")];

  const fold = folds.find((one) => textOf(one.querySelector("h2")) === title);
  expect(fold?.hasAttribute("open")).toBe(false);
});

test("a list has a search, the filters and the export, and no choice of columns nor saved views", async () => {
  await aUser(gatehouse);
  const document = await open(manager, "/manager/users");

  const tools = textsOf(document, ".list-toolbar > *").join(" ");
  const names = ["list.filters", "list.exportShort"].map((key) => t(`common:${key}`));
  for (const name of names) expect(tools).toContain(name);
  expect(tools).not.toMatch(/column|view/i);
  // The head of the table has the orders; only a card list has a menu of them.
  const sort = [...document.querySelectorAll(".list-toolbar button")].filter((button) =>
    textOf(button).includes(t("common:list.sort")),
  );
  expect(sort.map((button) => button.closest(".list-narrow") !== null)).toEqual([true]);
});

test("a user's screen has one part for what happened, about the user or by them", async () => {
  const document = await open(manager, `/manager/users/${user.id}`);

  const parts = textsOf(document, "main nav a");
  expect(parts.filter((part) => part === t("users:detail.activity"))).toHaveLength(1);
  expect(parts).not.toContain("Audit");
});

test("the account says nothing of the build, and signs out without a question", async () => {
  const document = await open(person, "/app/account");

  expect(textOf(document.querySelector("main"))).not.toMatch(/Version|Commit|Built/);
  const out = [...document.querySelectorAll("main form")].filter(
    (form) => form.getAttribute("action") === "/sign-out",
  );
  expect(out.map((form) => form.closest("[popover]"))).toEqual([null]);
});
