import { afterAll, expect, test } from "vitest";
import { ROLES, type Role } from "../../app/features/access/role-names.ts";
import { readText } from "../support/client.ts";
import {
  type Command,
  FEATURE_TESTS,
  featureUrls,
  withFeatures,
  withIds,
} from "../support/feature-tests.ts";
import { readPage, textOf } from "../support/page.ts";
import { aSignedInUser, aUser, newEmail } from "../support/people.ts";
import { listUrls } from "../support/routes.ts";
import { startGatehouse } from "../support/worker.ts";

const ADMIN_EMAIL = newEmail("owner");

const gatehouse = await startGatehouse({ vars: { ADMIN_EMAILS: ADMIN_EMAIL } });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const managers = Object.fromEntries(
  await Promise.all(
    ROLES.map(async (role) => [role, await aSignedInUser(gatehouse, { role })] as const),
  ),
) as Record<Role, Awaited<ReturnType<typeof aSignedInUser>>>;
const subject = await aUser(gatehouse, { name: "Subject" });
await gatehouse.d1
  .prepare("INSERT INTO organization (id, name, slug, created_at) VALUES ('o1', 'Org', 'org', 0)")
  .run();

function only(...roles: Role[]): Role[] {
  return roles;
}

const ANY_MANAGER = only("admin", "support", "auditor");
const READER = only("admin", "auditor");

/** Who may open each URL of the back-office. */
const CORE_URLS: Record<string, readonly Role[]> = {
  "/manager": ANY_MANAGER,
  "/manager/passkey": ANY_MANAGER,
  "/manager/dashboard": ANY_MANAGER,
  "/manager/users": ANY_MANAGER,
  "/manager/users/new": only("admin"),
  "/manager/users/:id": ANY_MANAGER,
  "/manager/users/:id/update": only("admin"),
  "/manager/users/export": READER,
  "/manager/organizations": READER,
  "/manager/organizations/new": only("admin"),
  "/manager/organizations/:id": READER,
  "/manager/organizations/export": READER,
  "/manager/audit": READER,
  "/manager/audit/export": READER,
  "/manager/mail": ANY_MANAGER,
  "/manager/mail/sign-in": ANY_MANAGER,
  "/manager/settings": READER,
  "/manager/settings/access": READER,
  "/manager/settings/security": READER,
  "/manager/settings/brand": READER,
  "/manager/settings/system": READER,
  "/manager/account": ANY_MANAGER,
  "/manager/account/confirm": ANY_MANAGER,
  "/manager/account/picture": ANY_MANAGER,
  "/manager/account/data": ANY_MANAGER,
  "/manager/account/delete": ANY_MANAGER,
};
const URLS = withFeatures(CORE_URLS, ({ managers: opening }) => opening);
const ids = await featureUrls(gatehouse);

const USER = `/manager/users/${subject.id}`;
const NOBODY = "/manager/users/nobody";

/** Who may do each command. Those who may not get 403; for the others the row or the form is not complete. */
const COMMANDS: Command[] = [
  ["ban", NOBODY, { intent: "ban", duration: "7" }, only("admin")],
  ["unban", NOBODY, { intent: "unban" }, only("admin")],
  ["delete", NOBODY, { intent: "delete" }, only("admin")],
  ["impersonate", NOBODY, { intent: "impersonate", impersonationReason: "x" }, only("admin")],
  ["remove sign-in methods", NOBODY, { intent: "remove-methods" }, only("admin")],
  ["keep sign-in methods", NOBODY, { intent: "keep-methods", question: "none" }, only("admin")],
  ["invite again", NOBODY, { intent: "invite" }, only("admin", "support")],
  ["end a session", NOBODY, { intent: "revoke", session: "none" }, only("admin", "support")],
  ["end all sessions", NOBODY, { intent: "revoke-all" }, only("admin", "support")],
  ["create a user", "/manager/users/new", { name: "" }, only("admin")],
  ["update a user", `${USER}/update`, { name: "", version: "1" }, only("admin")],
  ["ban many", "/manager/users", { intent: "ban", id: "nobody" }, only("admin")],
  ["unban many", "/manager/users", { intent: "unban", id: "nobody" }, only("admin")],
  ["delete many", "/manager/users", { intent: "delete", id: "nobody" }, only("admin")],
  [
    "set roles of many",
    "/manager/users",
    { intent: "set-role", id: "nobody", role: "user" },
    only("admin"),
  ],
  ["create an organization", "/manager/organizations/new", { name: "" }, only("admin")],
  [
    "rename an organization",
    "/manager/organizations/none",
    { intent: "rename", name: "New Name", slug: "new-name", version: "0" },
    only("admin"),
  ],
  [
    "disable an organization",
    "/manager/organizations/none",
    { intent: "disable", reason: "x" },
    only("admin"),
  ],
  ["delete an organization", "/manager/organizations/none", { intent: "delete" }, only("admin")],
  ["send a mail again", "/manager/mail", { mail: "none" }, only("admin", "support")],
  ["require passkeys", "/manager/settings/security", { intent: "optional" }, only("admin")],
  ["send a test mail", "/manager/settings/system", { intent: "test-mail" }, only("admin")],
  ["hide the set-up list", "/manager/settings/system", { intent: "hide-set-up" }, only("admin")],
  ...FEATURE_TESTS.flatMap(({ commands = [] }) => commands),
];

test("the table has every URL of the back-office", () => {
  const urls = listUrls().map(({ pattern }) => pattern);
  const ofManagers = urls.filter((url) => url.startsWith("/manager") && url !== "/manager/*");
  expect(ofManagers.sort()).toEqual(Object.keys(URLS).sort());
});

test.each(ROLES)("%s opens the URLs that the table allows, and no other", async (role) => {
  const { user, browser } = managers[role];
  const own = await featureUrls(gatehouse, undefined, user);
  const opened: string[] = [];
  for (const url of Object.keys(URLS)) {
    const path = withIds(url, { ...ids, ...own })
      .replace("/users/:id", `/users/${subject.id}`)
      .replace("/organizations/:id", "/organizations/o1")
      .replace(":theme", "light");
    for (const asked of [path, `${path}.data`]) {
      const response = await browser.get(asked);
      await response.arrayBuffer();
      expect([asked, response.status]).not.toEqual([asked, 404]);
      expect([asked, response.status]).not.toEqual([asked, 500]);
      if (response.status !== 403) opened.push(url);
    }
  }
  const allowed = Object.keys(URLS).filter((url) => URLS[url]?.includes(role));
  expect(opened).toEqual(allowed.flatMap((url) => [url, url]));
});

test.each(ROLES)("%s gives the commands that the table allows, and no other", async (role) => {
  const { browser } = managers[role];
  const done: string[] = [];
  for (const [name, path, fields] of COMMANDS) {
    const response = await browser.submit(withIds(path, ids), fields);
    await response.arrayBuffer();
    expect([name, response.status >= 500]).toEqual([name, false]);
    if (response.status !== 403) done.push(name);
  }
  const allowed = COMMANDS.filter(([, , , roles]) => roles.includes(role));
  expect(done).toEqual(allowed.map(([name]) => name));
});

test("a manager sees only the controls and links of their role", async () => {
  const shown = async (role: Role, path: string) =>
    readText(await (await managers[role].browser.get(path)).text());

  const users = await shown("support", "/manager/users");
  expect(users).not.toMatch(/New user|Export|Set roles/);
  const detail = await shown("support", USER);
  expect(detail).not.toMatch(/Impersonate|Ban user|Edit/);
  expect(await shown("support", "/manager/dashboard")).not.toMatch(
    /Recent activity|Audit log|Settings/,
  );
  const audit = await shown("auditor", "/manager/audit");
  expect(audit).toMatch(/Export/);
  expect(await shown("auditor", USER)).not.toMatch(/Impersonate|Sign out everywhere|Edit/);
  expect(await shown("auditor", "/manager/organizations")).not.toMatch(/New organization/);
  expect(await shown("admin", USER)).toMatch(/Impersonate/);
  expect(await shown("admin", "/manager/settings/access")).toMatch(/Save/);
  expect(await shown("auditor", "/manager/settings/access")).not.toMatch(/Save/);
});

test("the access form is closed, and has no Save, for those who may not change it", async () => {
  const pageFor = async (role: Role) =>
    readPage(await (await managers[role].browser.get("/manager/settings/access")).text());

  const closed = await pageFor("auditor");
  expect(closed.document.body.textContent).toContain("Only admins can change these settings.");
  expect(closed.document.querySelector("main form button")).toBeNull();
  expect(closed.document.querySelector("fieldset[disabled] [name=blockedDomains]")).not.toBeNull();
  const open = await pageFor("admin");
  expect(open.document.querySelector("main form button")?.textContent).toBe("Save changes");
  expect(open.document.querySelector("fieldset[disabled]")).toBeNull();
});

test("the matrix of roles says for each role whether it may", async () => {
  const page = readText(
    await (await managers.auditor.browser.get("/manager/settings/security")).text(),
  );

  // A phone shows the names of the roles, a desktop a column for each.
  expect(page).toContain(
    "Export all activity (asks to confirm it's you) Admin and Auditor Allowed – Not allowed Allowed – Not allowed",
  );
  expect(page).not.toContain("Require a passkey");
});

test("each screen that shows a user's roles shows all of them", async () => {
  const both = await aUser(gatehouse, { name: "Two Hats", role: "support,auditor" });
  const { browser } = managers.admin;
  const open = async (path: string) => (await browser.get(path)).text();

  const list = readPage(await open("/manager/users?searchTerm=two+hats"));
  // The mark of a narrow list, and the role column of a wide one.
  expect(list.rows().flat().join(" ")).toMatch(/Support, Auditor.*Support Auditor/);
  const screen = readPage(await open(`/manager/users/${both.id}`));
  expect(textOf(screen.find("region", "About"))).toMatch(/Support.*Auditor/);
  const form = readPage(await open(`/manager/users/${both.id}/update`));
  expect(form.field("role")?.value).toBe("support,auditor");
  expect(await open("/manager/users/export?searchTerm=two+hats")).toContain('"support,auditor"');
});

test("a filter finds the users of a rare role, with a term and days too", async () => {
  const both = await aUser(gatehouse, { name: "Both Roles", role: "user,support,auditor" });
  const { browser } = managers.admin;
  const found = async (search: string) =>
    readText(await (await browser.get(`/manager/users?${search}`)).text());

  expect(await found("role=support&searchTerm=both+roles")).toContain(both.email);
  expect(await found("role=auditor&sort=name")).toContain(both.email);
  expect(await found("role=auditor&sort=seen&from=2020-01-01")).toContain(both.email);
  expect(await found("role=user")).not.toContain(both.email);
  expect(await found("role=support")).not.toContain(subject.email);
  const plan = await gatehouse.d1
    .prepare(
      "EXPLAIN QUERY PLAN SELECT rowid FROM user WHERE role <> 'user' AND instr(role, 'support') > 0",
    )
    .all<{ detail: string }>();
  expect(JSON.stringify(plan.results)).toContain("user_with_roles");
});
