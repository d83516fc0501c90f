import { afterAll, expect, test } from "vitest";
import { searchKey } from "../../app/db/fold.ts";
import { ACCOUNT, accountChangesIn } from "../support/account.ts";
import { CONFIRM } from "../support/account-confirm.ts";
import { auditOf } from "../support/audit.ts";
import {
  accessibleError,
  type Browser,
  locationOf,
  newBrowser,
  readText,
  setCookieOf,
} from "../support/client.ts";
import { changeBefore, faultsUpTo } from "../support/faults.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, askForCode, aUser, newEmail, signIn } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { findPerson } from "../support/users.ts";
import { startGatehouse } from "../support/worker.ts";

const SESSION_COOKIE = "gatehouse.session_token";

const FAULTS = faultsUpTo(5);

const say = translationsIn("en");
const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const changesOf = accountChangesIn(gatehouse);

const userRow = (id: string) => findPerson(gatehouse, id);

// ── Name ──────────────────────────────────────────────────────────────────────────────────────────────────────────

test("a new name is saved, found by the search, and recorded with the old one", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { name: "Amina" });

  const response = await browser.submit(ACCOUNT, { intent: "change-name", name: "  Zoë   Ñandú " });

  expect(locationOf(response)).toBe(ACCOUNT);
  const page = readText(await (await browser.follow(response)).text());
  expect(page).toContain("Zoë Ñandú");
  expect(page).toContain(say("account:toast.nameChanged"));
  expect(await userRow(user.id)).toMatchObject({ name: "Zoë Ñandú", version: 2 });
  expect((await userRow(user.id))?.search_key).toContain("zoe nandu");
  expect(await changesOf(user.id)).toEqual([
    {
      action: "user.updated",
      actorId: user.id,
      details: { before: { name: "Amina" }, after: { name: "Zoë Ñandú" } },
    },
  ]);
});

test.each([
  ["", "Name is required"],
  ["  \t ", "Name is required"],
  ["1234", "Name is invalid"],
  ["Ada\u202e", "Name is invalid"],
  ["a".repeat(101), "Must be at most 100 characters"],
])("the name %j is refused beside the field, and the input is kept", async (name, message) => {
  const { user, browser } = await aSignedInUser(gatehouse);

  const response = await browser.submit(`${ACCOUNT}?state=change-name`, {
    intent: "change-name",
    name,
  });

  expect(response.status).toBe(400);
  const page = await response.text();
  expect(accessibleError(page, "name")).toBe(message);
  expect(readPage(page).field("name")?.value).toBe(name);
  expect((await userRow(user.id))?.name).toBe(user.name);
  expect(await changesOf(user.id)).toEqual([]);
});

test("saving an unchanged name changes and records nothing", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  const response = await browser.submit(ACCOUNT, { intent: "change-name", name: user.name });

  expect(locationOf(response)).toBe(ACCOUNT);
  expect(await userRow(user.id)).toMatchObject({ version: 1 });
  expect(await changesOf(user.id)).toEqual([]);
});

test.each([
  ["onboarding", { name: "", onboarded_at: null }, "/onboarding", { name: "Zuri" }, 2],
  // The second call counts the change.
  ["their account", {}, ACCOUNT, { intent: "change-name", name: "Zuri" }, 3],
])(
  "a user stays findable when their e-mail changes while they give a name: %s",
  async (_, row, path, fields, writing) => {
    // Before the session is read, between reading and writing, and after it.
    for (const [call, status] of [
      [1, 302],
      [writing, 409],
      [writing + 1, 302],
    ] as const) {
      const { user, browser } = await aSignedInUser(gatehouse, row);
      const to = newEmail("moved");
      const key = searchKey(user.name, to);
      const change = `UPDATE user SET email = '${to}', search_key = '${key}' WHERE id = '${user.id}' AND name = '${user.name}'`;
      const init = { headers: changeBefore(call, change) };

      const answer = await browser.submit(path, fields, init);

      expect(answer.status).toBe(status);
      const after = await userRow(user.id);
      expect(after?.search_key).toBe(searchKey(after?.name, after?.email));
    }
  },
);

test("`?state=change-name` opens the drawer, and any other state nothing", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const fieldAt = async (search: string) =>
    readPage(await (await browser.get(ACCOUNT + search)).text()).field("name")?.value;

  expect(await fieldAt("?state=change-name")).toBe(user.name);
  expect(await fieldAt("")).toBeUndefined();
  expect(await fieldAt("?state=delete-everything")).toBeUndefined();
});

test.each([
  ["an unknown intent", "intent=promote", "application/x-www-form-urlencoded", 400],
  ["no form", '{"intent":"revoke-all"}', "application/json", 415],
  [
    "a form too large",
    `intent=change-name&name=${"x".repeat(300_000)}`,
    "application/x-www-form-urlencoded",
    413,
  ],
  ["half a form", "x", "multipart/form-data; boundary=y", 400],
])("%s is refused and changes nothing", async (_name, body, type, status) => {
  const { user, browser } = await aSignedInUser(gatehouse);

  for (const path of [ACCOUNT, CONFIRM]) {
    const response = await browser.request(path, {
      method: "POST",
      body,
      headers: { "content-type": type },
    });
    expect([path, response.status]).toEqual([path, status]);
    await response.arrayBuffer();
  }
  expect(await changesOf(user.id)).toEqual([]);
  expect((await browser.get(ACCOUNT)).status).toBe(200);
});

test.each(FAULTS.filter((fault) => Number.parseInt(fault, 10) < 4))(
  "a name and its audit record are written together or not at all, with a fault at call %s",
  async (fault) => {
    const { user, browser } = await aSignedInUser(gatehouse, { name: "Amina" });

    await browser.submit(
      ACCOUNT,
      { intent: "change-name", name: "Zuri" },
      { headers: { "x-d1-fault": fault } },
    );

    const isChanged = (await userRow(user.id))?.name === "Zuri";
    expect(await changesOf(user.id)).toHaveLength(isChanged ? 1 : 0);
    expect((await browser.submit(ACCOUNT, { intent: "change-name", name: "Zuri" })).status).toBe(
      302,
    );
  },
);

// ── Language and theme ────────────────────────────────────────────────────────────────────────────────────────────

function choose(browser: Browser, intent: "language" | "theme", value: string, init?: RequestInit) {
  return browser.submit("/preferences", { intent, value, back: ACCOUNT }, init);
}

async function lookOf(response: Response) {
  const html = await response.text();
  return {
    language: readPage(html).rootAttribute("lang"),
    theme: readPage(html).rootAttribute("data-theme"),
  };
}

test("a language and a theme are saved to the account, recorded once, and keep the version", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  for (let again = 0; again < 2; again++) {
    await choose(browser, "language", "sw");
    await choose(browser, "theme", "dark");
  }

  expect(await userRow(user.id)).toMatchObject({ language: "sw", theme: "dark", version: 1 });
  expect((await auditOf(gatehouse, user.id)).slice(-2)).toEqual([
    {
      action: "user.language_changed",
      actorId: user.id,
      details: { before: { language: null }, after: { language: "sw" } },
    },
    {
      action: "user.theme_changed",
      actorId: user.id,
      details: { before: { theme: null }, after: { theme: "dark" } },
    },
  ]);
  expect((await changesOf(user.id)).map(({ action }) => action)).toEqual([
    "user.language_changed",
    "user.theme_changed",
  ]);
  const page = await (await browser.get(ACCOUNT)).text();
  for (const name of ["Kiswahili", "Meusi"]) {
    const button = readPage(page).find("button", name);
    expect(button?.getAttribute("aria-pressed")).toBe("true");
  }
});

test("an anonymous visitor's choice is saved only in the browser", async () => {
  const { user } = await aSignedInUser(gatehouse);
  const browser = newBrowser(gatehouse);

  await choose(browser, "language", "fr");

  expect(browser.cookies.get("i18next")).toBe("fr");
  expect(await userRow(user.id)).toMatchObject({ language: null });
});

test("a device without a choice starts with the account's language and theme", async () => {
  const user = await aUser(gatehouse, { language: "ar", theme: "dark" });
  const browser = newBrowser(gatehouse);
  await signIn(gatehouse, browser, user.email);

  expect(await lookOf(await browser.get("/app"))).toEqual({ language: "ar", theme: "dark" });
  expect(browser.cookies.get("i18next")).toBe("ar");
  expect(await lookOf(await browser.get("/nothing"))).toEqual({ language: "ar", theme: "dark" });
});

test("a device keeps its own choices, and `?lng=` sets the language", async () => {
  const user = await aUser(gatehouse, { language: "ar", theme: "dark" });
  const browser = newBrowser(gatehouse);
  await choose(browser, "language", "fr");
  await choose(browser, "theme", "light");
  await signIn(gatehouse, browser, user.email);
  expect(await lookOf(await browser.get("/app"))).toEqual({ language: "fr", theme: "light" });

  const asking = newBrowser(gatehouse);
  await signIn(gatehouse, asking, user.email);
  expect(await lookOf(await asking.get("/app?lng=sw"))).toEqual({ language: "sw", theme: "dark" });
  expect(asking.cookies.get("i18next")).toBe("sw");
});

test("when the database fails, a choice still holds in the browser, the system theme included", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { language: "en", theme: "dark" });
  expect(await lookOf(await browser.get("/app"))).toMatchObject({ theme: "dark" });

  for (const fault of ["1 before", "2 before"]) {
    const init = { headers: { "x-d1-fault": fault } };
    expect((await choose(browser, "language", "ar", init)).status).toBe(303);
    expect((await choose(browser, "theme", "system", init)).status).toBe(303);
  }

  expect(await userRow(user.id)).toMatchObject({ language: "en", theme: "dark" });
  expect(await lookOf(await browser.get("/app"))).toEqual({ language: "ar", theme: undefined });
});

test("a mail is in the account's language, and without one in the page's", async () => {
  const subjectFor = async (email: string) => {
    await askForCode(newBrowser(gatehouse, { language: "fr" }), email);
    return (await gatehouse.mailbox.mailFor(email)).html;
  };

  expect(await subjectFor((await aUser(gatehouse, { language: "ar" })).email)).toContain(
    'lang="ar" dir="rtl"',
  );
  expect(await subjectFor((await aUser(gatehouse)).email)).toContain('lang="fr"');
  expect(await subjectFor(newEmail())).toContain('lang="fr"');
});

test("managers have the same account screen in their area", async () => {
  const { user, browser } = await anAdmin(gatehouse);

  const response = await browser.submit("/manager/account", {
    intent: "change-name",
    name: "Mona",
  });
  expect(locationOf(response)).toBe("/manager/account");
  await browser.submit("/manager/account/confirm", { intent: "resend" });
  const code = await gatehouse.mailbox.codeFor(user.email);
  const confirmed = await browser.submit("/manager/account/confirm?next=", {
    intent: "verify",
    code,
  });

  expect(locationOf(confirmed)).toBe("/manager/account");
  expect(setCookieOf(confirmed, SESSION_COOKIE)).toBeUndefined();
  expect((await userRow(user.id))?.name).toBe("Mona");
});
