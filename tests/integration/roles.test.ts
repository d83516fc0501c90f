import { afterAll, expect, test } from "vitest";
import { ROLES, type Role } from "../../app/features/access/permissions.ts";
import { auditOf } from "../support/audit.ts";
import {
  addPasskey,
  newAuthenticator,
  optionsFor,
  signInWithPasskey,
} from "../support/authenticator.ts";
import { type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { aSignedInUser, aUser, impersonate, newEmail, type Person } from "../support/people.ts";
import { aRepository, findRepositoryRow } from "../support/repositories.ts";
import { listUrls } from "../support/routes.ts";
import { startGatehouse } from "../support/worker.ts";

const ADMIN_EMAIL = newEmail("owner");
const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse({ vars: { ADMIN_EMAILS: ADMIN_EMAIL } });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const managers = Object.fromEntries(
  await Promise.all(
    ROLES.map(async (role) => [role, await aSignedInUser(gatehouse, { role })] as const),
  ),
) as Record<Role, Awaited<ReturnType<typeof aSignedInUser>>>;
const subject = await aUser(gatehouse, { name: "Subject" });
const repository = await aRepository(gatehouse);
await gatehouse.d1
  .prepare("INSERT INTO organization (id, name, slug, created_at) VALUES ('o1', 'Org', 'org', 0)")
  .run();

function only(...roles: Role[]): Role[] {
  return roles;
}

const ANY_MANAGER = only("admin", "support", "auditor");
const READER = only("admin", "auditor");

/** Who may open each URL of the back-office. */
const URLS: Record<string, Role[]> = {
  "/manager": ANY_MANAGER,
  "/manager/passkey": ANY_MANAGER,
  "/manager/dashboard": ANY_MANAGER,
  "/manager/users": ANY_MANAGER,
  "/manager/users/new": only("admin"),
  "/manager/users/:id": ANY_MANAGER,
  "/manager/users/:id/update": only("admin"),
  "/manager/users/export": READER,
  "/manager/repositories": ANY_MANAGER,
  "/manager/repositories/new": only("admin"),
  "/manager/repositories/:id": ANY_MANAGER,
  "/manager/repositories/:id/update": only("admin"),
  "/manager/repositories/export": READER,
  "/manager/organizations": READER,
  "/manager/organizations/new": only("admin"),
  "/manager/organizations/:id": READER,
  "/manager/organizations/export": READER,
  "/manager/audit": READER,
  "/manager/audit/export": READER,
  "/manager/mail": ANY_MANAGER,
  "/manager/settings": READER,
  "/manager/settings/access": READER,
  "/manager/settings/roles": READER,
  "/manager/settings/waiting-list": READER,
  "/manager/system": READER,
  "/manager/account": ANY_MANAGER,
  "/manager/account/confirm": ANY_MANAGER,
  "/manager/account/picture": ANY_MANAGER,
  "/manager/account/data": ANY_MANAGER,
  "/manager/account/delete": ANY_MANAGER,
  "/manager/notices": ANY_MANAGER,
};

type Command = [name: string, path: string, fields: Record<string, string>, allowed: Role[]];

const USER = `/manager/users/${subject.id}`;
const NOBODY = "/manager/users/nobody";

/** Who may do each command. Those who may not get 403; for the others the row or the form is not complete. */
const COMMANDS: Command[] = [
  ["ban", NOBODY, { intent: "ban", duration: "7" }, only("admin")],
  ["unban", NOBODY, { intent: "unban" }, only("admin")],
  ["delete", NOBODY, { intent: "delete" }, only("admin")],
  ["impersonate", NOBODY, { intent: "impersonate", impersonationReason: "x" }, only("admin")],
  ["remove sign-in methods", NOBODY, { intent: "remove-methods" }, only("admin")],
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
  ["create a repository", "/manager/repositories/new", { name: "" }, only("admin")],
  [
    "update a repository",
    `/manager/repositories/${repository.id}/update`,
    { name: "" },
    only("admin"),
  ],
  ["delete a repository", "/manager/repositories/none", { intent: "delete" }, only("admin")],
  ["delete repositories", "/manager/repositories", { intent: "delete", id: "none" }, only("admin")],
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
  ["require passkeys", "/manager/settings/roles", { intent: "optional" }, only("admin")],
];

test("the table has every URL of the back-office", () => {
  const urls = listUrls().map(({ pattern }) => pattern);
  const ofManagers = urls.filter((url) => url.startsWith("/manager") && url !== "/manager/*");
  expect(ofManagers.sort()).toEqual(Object.keys(URLS).sort());
});

test.each(ROLES)("%s opens the URLs that the table allows, and no other", async (role) => {
  const { browser } = managers[role];
  const opened: string[] = [];
  for (const url of Object.keys(URLS)) {
    const path = url
      .replace("/users/:id", `/users/${subject.id}`)
      .replace("/repositories/:id", `/repositories/${repository.id}`)
      .replace("/organizations/:id", "/organizations/o1");
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
    const response = await browser.submit(path, fields);
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
  expect(await shown("auditor", "/manager/repositories")).not.toMatch(/New repository/);
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
  expect(open.document.querySelector("main form button")?.textContent).toBe("Save");
  expect(open.document.querySelector("fieldset[disabled]")).toBeNull();
});

test("the matrix of roles says for each role whether it may", async () => {
  const page = readText(
    await (await managers.auditor.browser.get("/manager/settings/roles")).text(),
  );

  expect(page).toContain("Export the audit log Allowed – Not allowed Allowed – Not allowed");
  expect(page).not.toContain("Require a passkey");
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

/** Moves the last proof of a user's sessions into the past. */
async function makeStale(userId: string, minutes = 16): Promise<void> {
  await gatehouse.d1
    .prepare("UPDATE session SET created_at = ?, authenticated_at = NULL WHERE user_id = ?")
    .bind(Date.now() - minutes * 60_000, userId)
    .run();
}

function findPerson(id: string) {
  return gatehouse.d1.prepare("SELECT * FROM user WHERE id = ?").bind(id).first<Person>();
}

test("a stale session is led to the proof before what cannot be undone, and nothing changes", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const { id } = await aUser(gatehouse);
  const before = await findPerson(id);
  await makeStale(user.id);
  const confirm = (path: string) => `/manager/account/confirm?next=${encodeURIComponent(path)}`;
  const screen = `/manager/users/${id}`;

  for (const [path, fields] of [
    [screen, { intent: "ban", duration: "7" }],
    [screen, { intent: "delete" }],
    [`/manager/repositories/${repository.id}`, { intent: "delete" }],
    ["/manager/organizations/o1", { intent: "delete", typedName: "Org" }],
  ] as const) {
    expect([path, locationOf(await browser.submit(path, fields))]).toEqual([path, confirm(path)]);
  }
  // Of a list the chosen rows and the action are kept, in place of those that an earlier proof has kept.
  for (const [path, fields] of [
    ["/manager/users?sort=name", { intent: "delete", id }],
    ["/manager/users?id=old&asked=ban", { intent: "set-role", id, role: "support" }],
    ["/manager/repositories", { intent: "delete", id: repository.id }],
  ] as const) {
    const kept = `&id=${fields.id}&asked=${fields.intent}`;
    expect([path, locationOf(await browser.submit(path, fields))]).toEqual([
      path,
      confirm(path.replace("?id=old&asked=ban", "")) + kept,
    ]);
  }
  expect(locationOf(await impersonate(browser, id))).toBe(confirm(screen));
  expect(await findPerson(id)).toEqual(before);
  expect(await findRepositoryRow(gatehouse, repository.id)).toBeDefined();

  const form = { name: "Renamed", email: before?.email ?? "", version: "1" };
  const refused = await browser.submit(`${screen}/update`, { ...form, role: "admin" });
  const page = readText(await refused.text());
  expect(refused.status).toBe(400);
  expect(page).toContain("Confirm it's you, then send this again.");
  // Without a change of roles no proof is asked for.
  expect(locationOf(await browser.submit(`${screen}/update`, { ...form, role: "user" }))).toBe(
    screen,
  );
});

test("the screens ask for the proof before a form is filled, from ten minutes on", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const shown = async () => readText(await (await browser.get(USER)).text());
  await makeStale(user.id, 9);
  expect(await shown()).not.toContain("First confirm it's you.");
  await makeStale(user.id, 11);
  expect(await shown()).toContain("First confirm it's you.");
});

async function aPasskeyHolder(overrides: Partial<Person> = {}) {
  const { user, browser } = await aSignedInUser(gatehouse, { role: "admin", ...overrides });
  const authenticator = newAuthenticator({ origin: gatehouse.origin });
  expect((await addPasskey(browser, authenticator)).status).toBe(200);
  return { user, browser, authenticator };
}

async function confirmWithPasskey(
  browser: Browser,
  authenticator: ReturnType<typeof newAuthenticator>,
) {
  const { challenge } = await optionsFor(browser, "authenticate");
  return { response: authenticator.get(challenge) };
}

const CONFIRM = "/api/auth/passkey/confirm-session";

test("a passkey proves the session once, with a record and without a new session", async () => {
  const { user, browser, authenticator } = await aPasskeyHolder();
  await makeStale(user.id);
  const sessions = () =>
    gatehouse.d1
      .prepare("SELECT count(*) AS n FROM session WHERE user_id = ?")
      .bind(user.id)
      .first<number>("n");
  const cookie = browser.cookies.get("gatehouse.session_token");
  const assertion = await confirmWithPasskey(browser, authenticator);

  const answers = await Promise.all([1, 2, 3].map(() => browser.api(CONFIRM, assertion)));

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect(await sessions()).toBe(1);
  expect(browser.cookies.get("gatehouse.session_token")).toBe(cookie);
  const events = (await auditOf(gatehouse, user.id)).map(({ action }) => action);
  expect(events.filter((action) => action === "session.confirmed")).toHaveLength(1);
  expect(locationOf(await browser.submit(NOBODY, { intent: "unban" }))).toBeUndefined();
});

test("a passkey of another user proves nothing", async () => {
  const { user, browser } = await aPasskeyHolder();
  const { authenticator } = await aPasskeyHolder();
  await makeStale(user.id);

  const refused = await browser.api(CONFIRM, await confirmWithPasskey(browser, authenticator));

  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused.headers.getSetCookie().join()).not.toContain("session_token");
  expect(locationOf(await browser.submit(NOBODY, { intent: "delete" }))).toContain("/confirm?");
});

test("a passkey required for managers: who has one confirms, who has none adds one after the grace", async () => {
  const holder = await aPasskeyHolder();
  const without = await aSignedInUser(gatehouse, { role: "support" });
  const owner = await aSignedInUser(gatehouse, { role: "admin", email: ADMIN_EMAIL });
  const other = await aSignedInUser(gatehouse, { role: "admin" });
  const rule = "/manager/settings/roles";
  const gate = (next: string) => `/manager/passkey?next=${encodeURIComponent(next)}`;
  const open = async (browser: Browser, path: string) => locationOf(await browser.get(path));

  // Only a manager with a passkey may require one.
  await other.browser.submit(rule, { intent: "required" });
  expect(await open(other.browser, "/manager/users")).toBeUndefined();
  await holder.browser.submit(rule, { intent: "required" });

  expect(await open(holder.browser, "/manager/users?sort=name")).toBe(
    gate("/manager/users?sort=name"),
  );
  expect(await open(holder.browser, "/app")).toBeUndefined();
  const listed = await holder.browser.get("/api/auth/admin/list-users");
  expect(listed.status).toBe(403);
  expect(readText(await (await holder.browser.get(gate("/manager/users"))).text())).toContain(
    "You signed in without a passkey.",
  );
  await holder.browser.api(CONFIRM, await confirmWithPasskey(holder.browser, holder.authenticator));
  expect(await open(holder.browser, "/manager/users")).toBeUndefined();
  const fresh = newBrowser(gatehouse);
  await signInWithPasskey(fresh, holder.authenticator);
  expect(await open(fresh, "/manager/users")).toBeUndefined();

  // In the grace there is a notice; afterwards a passkey must be added. People in ADMIN_EMAILS pass.
  const page = await (await without.browser.get("/manager/users")).text();
  expect(readText(page)).toContain("the back-office opens only with a passkey");
  await gatehouse.d1
    .prepare("UPDATE site_setting SET manager_passkeys_since = manager_passkeys_since - ?")
    .bind(8 * DAY_MS)
    .run();
  expect(await open(without.browser, "/manager/users")).toBe(gate("/manager/users"));
  expect(readText(await (await without.browser.get(gate("/manager/users"))).text())).toContain(
    "Add one to continue.",
  );
  expect(await open(owner.browser, "/manager/users")).toBeUndefined();

  await owner.browser.submit(rule, { intent: "optional" });
  expect(await open(without.browser, "/manager/users")).toBeUndefined();
  const changes = await gatehouse.d1
    .prepare(
      "SELECT details FROM audit_event WHERE action = 'settings.changed' ORDER BY created_at",
    )
    .all<{ details: string }>();
  expect(changes.results.map(({ details }) => JSON.parse(details).after)).toEqual([
    { managerPasskeys: "required" },
    { managerPasskeys: "optional" },
  ]);
});
