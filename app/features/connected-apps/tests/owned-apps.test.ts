import { afterAll, expect, test } from "vitest";
import {
  alertsOf,
  type Browser,
  locationOf,
  toastOf,
  typedIn,
} from "../../../../tests/support/client.ts";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { aMember, anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser, impersonate } from "../../../../tests/support/people.ts";
import { makeProofOld } from "../../../../tests/support/sessions.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { hashSecret } from "../client-secret.ts";
import { MAX_APPS, MAX_ORGANIZATION_APPS, OWNED_APP_LIMITS } from "../limits.ts";
import {
  type AppRow,
  aConnection,
  allowOwnedApps,
  anApi,
  anApp,
  findAppRow,
  manyApps,
} from "./apps.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1 } = gatehouse;
const run = statementsOn(gatehouse);
const say = translationsIn("en");

const OF_SITE = "/manager/settings/apps";
const FIELDS: Record<string, string> = {
  name: "Wiki",
  uri: "https://wiki.example.com/",
  redirectUris: "https://wiki.example.com/callback",
  apis: "https://api.example.com/v1",
  scopes: "email",
};
const SERVER = { ...FIELDS, kind: "server" };
const PUBLIC = { ...FIELDS, kind: "public" };
const COMMANDS = ["rotate", "disable", "enable", "delete"];

const { user: admin, browser: manager } = await anAdmin(gatehouse);
await allowOwnedApps(gatehouse);

/** An organization with a signed-in owner, and the URL of its apps. */
async function anOwner(overrides: Parameters<typeof anOrganization>[1] = {}) {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, overrides, { owner: user });
  const list = `/app/organizations/${organization.slug}/apps`;
  return { user, browser, organization, list };
}

async function appsOf({ id }: { id: string }): Promise<AppRow[]> {
  const { results } = await d1
    .prepare("SELECT * FROM oauth_client WHERE organization_id = ? ORDER BY created_at, id")
    .bind(id)
    .all<AppRow>();
  return results;
}

async function eventsOf({ id }: { id: string }) {
  const { results } = await d1
    .prepare(
      `SELECT action, actor_id, details FROM audit_event WHERE target_type = 'organization' AND target_id = ?
       AND action LIKE 'app.%' ORDER BY created_at`,
    )
    .bind(id)
    .all<{ action: string; actor_id: string; details: string }>();
  return results.map(({ details, ...event }) => ({ ...event, details: JSON.parse(details) }));
}

async function pageOf(response: Response | Promise<Response>) {
  return readPage(await (await response).text());
}

/** Sends each form of an app, and one that makes one. */
async function sendAll(browser: Browser, list: string, id: string): Promise<number[]> {
  const update = { ...FIELDS, intent: "update", version: "1" };
  const sent = [
    browser.submit(`${list}/new`, SERVER),
    browser.submit(`${list}/${id}`, update),
    ...COMMANDS.map((intent) => browser.submit(`${list}/${id}`, { intent })),
  ];
  return (await Promise.all(sent)).map(({ status }) => status);
}

test("an owner adds an app, which belongs to the organization and always asks people", async () => {
  const { user, browser, organization, list } = await anOwner();
  const settings = `/app/organizations/${organization.slug}/settings`;
  expect(
    (await pageOf(browser.get(settings))).linkTo(say("organizations:settings.manageApps")),
  ).toBe(list);
  const empty = await pageOf(browser.get(list));
  expect(empty.text()).toContain(say("connected-apps:owned.emptyText"));
  expect(empty.linkTo(say("connected-apps:office.add"))).toBe(`${list}/new`);
  const form = await (await browser.get(`${list}/new`)).text();
  expect(form).not.toContain('name="skipConsent"');

  const made = await pageOf(browser.submit(`${list}/new`, { ...SERVER, skipConsent: "yes" }));

  const secret = made.field("secret")?.value ?? "";
  const [row] = await appsOf(organization);
  expect(row).toMatchObject({
    organization_id: organization.id,
    client_secret: await hashSecret(secret),
    name: "Wiki",
    skip_consent: 0,
    created_by: user.id,
  });
  const one = `${list}/${row?.id}`;
  expect(made.linkTo(say("connected-apps:office.done"))).toBe(one);
  for (const path of [list, one, `${one}?state=edit`]) {
    const shown = await (await browser.get(path)).text();
    expect(shown).toContain("Wiki");
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain('name="skipConsent"');
  }
  expect(await eventsOf(organization)).toEqual([
    {
      action: "app.created",
      actor_id: user.id,
      details: {
        app: "Wiki",
        ids: { app: row?.id },
        after: expect.objectContaining({
          startPage: "https://wiki.example.com/",
          asksPeople: "yes",
        }),
      },
    },
  ]);
  const overview = await pageOf(browser.get(`/app/organizations/${organization.slug}`));
  expect(overview.text()).toContain(say("events:app.created"));
  const download = await browser.get("/app/account/data");
  expect(await download.text()).toContain('"Wiki"');
});

test("an owner's app asks for no more than every user may do", async () => {
  const { browser, organization, list } = await anOwner();
  const form = await (await browser.get(`${list}/new`)).text();
  expect(form).toContain('value="repository.read"');
  expect(form).not.toContain('value="repository.delete"');

  for (const scopes of ["repository.read", "repository.delete", "audit.read"]) {
    await browser.submit(`${list}/new`, { ...SERVER, scopes });
  }

  const stored = (await appsOf(organization)).map(({ scopes }) => JSON.parse(scopes));
  expect(stored).toHaveLength(3);
  expect(stored).toContainEqual(["openid", "repository.read"]);
  expect(stored.flat()).not.toContain("repository.delete");
  expect(stored.flat()).not.toContain("audit.read");
});

test("an owner changes an app, replaces its secret, switches it off and on, and deletes it", async () => {
  const { browser, organization, list } = await anOwner();
  const app = await anApp(gatehouse, { organization_id: organization.id, name: "Wiki" });
  const one = `${list}/${app.id}`;

  const update = { ...FIELDS, name: "New wiki", skipConsent: "yes", intent: "update" };
  const saved = await browser.submit(one, { ...update, version: "1" });
  expect(await toastOf(browser, saved)).toBe(say("connected-apps:office.toast.saved"));
  expect(await findAppRow(gatehouse, app.id)).toMatchObject({ name: "New wiki", skip_consent: 0 });
  const late = await browser.submit(one, { ...update, name: "Late", version: "1" });
  expect(late.status).toBe(409);
  expect(await late.text()).toContain("New wiki");

  const rotated = await pageOf(browser.submit(one, { intent: "rotate" }));
  expect(rotated.field("secret")?.value).toMatch(/^ghs_/);
  await browser.submit(one, { intent: "disable" });
  expect(await findAppRow(gatehouse, app.id)).toMatchObject({ disabled: 1, disabled_by_site: 0 });
  await browser.submit(one, { intent: "enable" });
  expect(await findAppRow(gatehouse, app.id)).toMatchObject({ disabled: 0 });
  const deleted = await browser.submit(one, { intent: "delete" });
  expect(locationOf(deleted)).toBe(list);
  expect(await appsOf(organization)).toEqual([]);

  const events = await eventsOf(organization);
  expect(events.map(({ action }) => action)).toEqual([
    "app.updated",
    "app.secret_rotated",
    "app.disabled",
    "app.enabled",
    "app.deleted",
  ]);
  expect(events[0]?.details).toMatchObject({ before: { app: "Wiki" }, after: { app: "New wiki" } });
});

test("an admin, a member, a stranger and another owner reach nothing of it", async () => {
  const { organization, list } = await anOwner();
  const app = await anApp(gatehouse, { organization_id: organization.id });
  const ofSite = await anApp(gatehouse);
  const other = await anOwner();
  const { user: member, browser: ofMember } = await aSignedInUser(gatehouse);
  await aMember(gatehouse, { organization_id: organization.id, user_id: member.id });
  const { user: second, browser: ofAdmin } = await aSignedInUser(gatehouse);
  await aMember(gatehouse, {
    organization_id: organization.id,
    user_id: second.id,
    role: "admin",
  });
  const { browser: stranger } = await aSignedInUser(gatehouse);

  const paths = [list, `${list}/new`, `${list}/${app.id}`, `${list}/${app.id}?state=edit`];
  for (const [browser, status] of [
    [ofMember, 403],
    [ofAdmin, 403],
    [stranger, 404],
    [other.browser, 404],
  ] as const) {
    const read = await Promise.all(paths.map((path) => browser.get(path)));
    expect(read.map((answer) => answer.status)).toEqual(paths.map(() => status));
    expect(new Set(await sendAll(browser, list, app.id))).toEqual(new Set([status]));
  }
  // Below the own organization, apps of others and of the site are not there.
  for (const id of [app.id, ofSite.id]) {
    expect((await other.browser.get(`${other.list}/${id}`)).status).toBe(404);
    const [, ...changes] = await sendAll(other.browser, other.list, id);
    expect(new Set(changes)).toEqual(new Set([404]));
  }
  const shown = await (await other.browser.get(other.list)).text();
  expect(shown).not.toContain(app.name);
  expect(shown).not.toContain(ofSite.name);
  expect(await findAppRow(gatehouse, app.id)).toEqual(app);
  expect(await findAppRow(gatehouse, ofSite.id)).toEqual(ofSite);
  await run("DELETE FROM oauth_client");
});

test("each change needs a proof, and none is made during an impersonation", async () => {
  const { user, browser, organization, list } = await anOwner();
  const app = await anApp(gatehouse, { organization_id: organization.id });
  await makeProofOld(gatehouse, user);
  const update = { ...FIELDS, intent: "update", version: "1" };
  for (const [path, fields] of [
    [`${list}/new`, SERVER],
    [`${list}/${app.id}`, update],
    ...COMMANDS.map((intent) => [`${list}/${app.id}`, { intent }] as const),
  ] as const) {
    expect(locationOf(await browser.submit(path, fields))).toContain("/app/account/confirm");
  }
  await impersonate(manager, user.id);
  for (const status of await sendAll(manager, list, app.id)) expect(status).toBe(302);
  expect(await appsOf(organization)).toEqual([app]);
  await manager.submit("/stop-impersonating", {});
});

test("without the switch nothing new is made, and what is there is managed and ended", async () => {
  const { browser, organization, list } = await anOwner();
  const settings = `/app/organizations/${organization.slug}/settings`;
  const off = say("connected-apps:owned.off");
  await allowOwnedApps(gatehouse, false);
  const none = await pageOf(browser.get(settings));
  expect(none.linkTo(say("organizations:settings.manageApps"))).toBeUndefined();
  const empty = await pageOf(browser.get(list));
  expect(empty.text()).toContain(off);
  expect(empty.linkTo(say("connected-apps:office.add"))).toBeUndefined();
  const form = await pageOf(browser.get(`${list}/new`));
  expect(form.text()).toContain(off);
  expect(form.field("name")).toBeUndefined();

  const refused = await browser.submit(`${list}/new`, SERVER);
  expect(refused.status).toBe(409);
  const html = await refused.text();
  expect(alertsOf(html)).toContain(off);
  expect(typedIn(html, "name")).toBe("Wiki");
  expect(await appsOf(organization)).toEqual([]);

  const app = await anApp(gatehouse, { organization_id: organization.id });
  const one = `${list}/${app.id}`;
  expect(
    (await pageOf(browser.get(settings))).linkTo(say("organizations:settings.manageApps")),
  ).toBe(list);
  await browser.submit(one, { ...FIELDS, name: "Kept", intent: "update", version: "1" });
  expect(await findAppRow(gatehouse, app.id)).toMatchObject({ name: "Kept" });
  await browser.submit(one, { intent: "delete" });
  expect(await appsOf(organization)).toEqual([]);
  await allowOwnedApps(gatehouse);
});

test("a manager lets owners add apps, with a proof, a version and an event", async () => {
  await allowOwnedApps(gatehouse, false);
  const { user, browser } = await anAdmin(gatehouse);
  const { browser: auditor } = await aSignedInUser(gatehouse, { role: "auditor" });
  const version = async () => {
    const found = d1.prepare("SELECT organization_apps AS isOn, version FROM oauth_setting");
    return found.first<{ isOn: number; version: number }>();
  };
  const before = (await version())?.version ?? 0;
  const on = { intent: "settings", organizationApps: "yes", version: String(before) };
  expect((await auditor.submit(OF_SITE, on)).status).toBe(403);
  const read = await pageOf(auditor.get(OF_SITE));
  expect(read.text()).toContain(say("connected-apps:rules.organizationApps"));
  expect(read.field("organizationApps")).toBeUndefined();
  await makeProofOld(gatehouse, user);
  expect(locationOf(await browser.submit(OF_SITE, on))).toContain("/manager/account/confirm");
  expect((await version())?.isOn).toBe(0);

  const saved = await manager.submit(OF_SITE, on);
  expect(await toastOf(manager, saved)).toBe(say("connected-apps:rules.saved"));
  expect(await version()).toEqual({ isOn: 1, version: before + 1 });
  const late = { intent: "settings", version: String(before) };
  const conflict = await manager.submit(OF_SITE, late);
  expect(conflict.status).toBe(409);
  expect(await conflict.text()).toContain(say("common:conflict.title"));
  expect(await version()).toEqual({ isOn: 1, version: before + 1 });
  const incomplete = await manager.submit(OF_SITE, { intent: "settings" });
  expect(incomplete.status).toBe(400);

  const event = await d1
    .prepare("SELECT actor_id, details FROM audit_event WHERE action = 'settings.apps_changed'")
    .all();
  expect(event.results).toEqual([
    {
      actor_id: admin.id,
      details: '{"before":{"organizationApps":"no"},"after":{"organizationApps":"yes"}}',
    },
  ]);
  // Equal values leave no event.
  await manager.submit(OF_SITE, { ...on, version: String(before + 1) });
  expect(await version()).toEqual({ isOn: 1, version: before + 1 });
});

test("an organization has room for so many apps, also for those added at once", async () => {
  const { user, browser, organization, list } = await anOwner();
  const { user: second, browser: ofSecond } = await aSignedInUser(gatehouse);
  await aMember(gatehouse, { organization_id: organization.id, user_id: second.id, role: "owner" });
  await manyApps(gatehouse, MAX_ORGANIZATION_APPS - 1, { organization_id: organization.id });

  const answers = await Promise.all(
    [browser, ofSecond, browser].map((one) => one.submit(`${list}/new`, PUBLIC)),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([302, 409, 409]);
  expect(await appsOf(organization)).toHaveLength(MAX_ORGANIZATION_APPS);
  const full = say("connected-apps:owned.full", { maximum: String(MAX_ORGANIZATION_APPS) });
  const refused = answers.find(({ status }) => status === 409);
  expect(alertsOf((await refused?.text()) ?? "")).toContain(full);
  const shown = await pageOf(browser.get(list));
  expect(shown.text()).toContain(full);
  expect(shown.linkTo(say("connected-apps:office.add"))).toBeUndefined();
  // Another organization has room of its own.
  const { organization: other } = await anOrganization(gatehouse, {}, { owner: user });
  const made = await browser.submit(`/app/organizations/${other.slug}/apps/new`, PUBLIC);
  expect(made.status).toBe(302);
  await run("DELETE FROM oauth_client");
});

test("apps of organizations leave the managers their room", async () => {
  const { organization } = await anOwner();
  await manyApps(gatehouse, MAX_ORGANIZATION_APPS, { organization_id: organization.id });
  await manyApps(gatehouse, MAX_APPS - 1);
  const fields = { kind: "public", name: "Last", redirectUris: "https://a.example/" };
  expect((await manager.submit(`${OF_SITE}/new`, fields)).status).toBe(302);
  expect((await manager.submit(`${OF_SITE}/new`, fields)).status).toBe(409);
  await run("DELETE FROM oauth_client");
});

test("an owner adds so many apps a day", async () => {
  const { user, browser, organization, list } = await anOwner();
  await run(
    "INSERT INTO rate_limit (key, count, window_start) VALUES (?, ?, ?)",
    `app-made|${user.id}`,
    OWNED_APP_LIMITS.made.max - 1,
    Date.now(),
  );
  expect((await browser.submit(`${list}/new`, PUBLIC)).status).toBe(302);
  const refused = await browser.submit(`${list}/new`, PUBLIC);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await appsOf(organization)).toHaveLength(1);
});

test("an owner who is none any more, or whose organization is closed, changes nothing", async () => {
  const { user, browser, organization, list } = await anOwner();
  const app = await anApp(gatehouse, { organization_id: organization.id });
  for (const column of ["disabled_at", "deletion_due_at"]) {
    await run(
      `UPDATE organization SET ${column} = ? WHERE id = ?`,
      Date.now() + 1,
      organization.id,
    );
    const shown = await pageOf(browser.get(`${list}/${app.id}`));
    expect(shown.find("button", say("connected-apps:office.disable"))).toBeUndefined();
    for (const status of await sendAll(browser, list, app.id)) {
      expect(status).toBeGreaterThanOrEqual(400);
    }
    await run(`UPDATE organization SET ${column} = NULL WHERE id = ?`, organization.id);
  }
  const { user: second } = await aSignedInUser(gatehouse);
  await aMember(gatehouse, { organization_id: organization.id, user_id: second.id, role: "owner" });
  await run("UPDATE member SET role = 'member' WHERE user_id = ?", user.id);
  expect(new Set(await sendAll(browser, list, app.id))).toEqual(new Set([403]));
  expect(await appsOf(organization)).toEqual([app]);
});

test("an app stays when its maker leaves, and goes with the organization and its servers", async () => {
  const { user, browser, organization, list } = await anOwner();
  const { user: second, browser: ofSecond } = await aSignedInUser(gatehouse);
  await aMember(gatehouse, { organization_id: organization.id, user_id: second.id, role: "owner" });
  await run("DELETE FROM oauth_client");
  await browser.submit(`${list}/new`, SERVER);
  const [app] = await appsOf(organization);
  await run("DELETE FROM member WHERE user_id = ?", user.id);
  expect((await ofSecond.get(`${list}/${app?.id}`)).status).toBe(200);
  const servers = "SELECT count(*) AS n FROM oauth_resource WHERE identifier = ?";
  const count = () => d1.prepare(servers).bind(FIELDS.apis).first<number>("n");
  expect(await count()).toBe(1);

  await run("DELETE FROM organization WHERE id = ?", organization.id);
  expect(await findAppRow(gatehouse, app?.id ?? "")).toBeNull();
  expect(await count()).toBe(0);
});

test("managers see an organization's app by its name, end it, and change nothing else", async () => {
  const { user, browser, organization, list } = await anOwner({ name: "Nyumbani Cooperative" });
  const app = await anApp(gatehouse, { organization_id: organization.id, name: "Field notes" });
  await anApi(gatehouse, app, "https://notes.example.com");
  await aConnection(gatehouse, app, user, { reference_id: organization.id });
  const one = `${OF_SITE}/${app.id}`;
  expect((await pageOf(manager.get(OF_SITE))).text()).toContain("Nyumbani Cooperative");
  const shown = await pageOf(manager.get(one));
  expect(shown.text()).toContain("Nyumbani Cooperative");
  expect(shown.find("button", say("connected-apps:office.rotate"))).toBeUndefined();
  expect(shown.linkTo(say("connected-apps:office.edit"))).toBeUndefined();
  expect(await (await manager.get(`${one}?state=edit`)).text()).not.toContain(
    'name="redirectUris"',
  );
  const update = { ...FIELDS, intent: "update", version: "1", skipConsent: "yes" };
  for (const fields of [update, { intent: "rotate" }]) {
    expect((await manager.submit(one, fields)).status).toBe(404);
  }
  expect(await findAppRow(gatehouse, app.id)).toEqual(app);

  await manager.submit(one, { intent: "disable" });
  expect(await findAppRow(gatehouse, app.id)).toMatchObject({ disabled: 1, disabled_by_site: 1 });
  // What a manager has switched off, no owner switches on.
  const owned = await pageOf(browser.get(`${list}/${app.id}`));
  expect(owned.text()).toContain(say("connected-apps:owned.offBySite"));
  expect(owned.find("button", say("connected-apps:office.enable"))).toBeUndefined();
  const refused = await browser.submit(`${list}/${app.id}`, { intent: "enable" });
  expect(refused.status).toBe(409);
  expect(alertsOf(await refused.text())).toContain(say("connected-apps:owned.offBySite"));
  expect(await findAppRow(gatehouse, app.id)).toMatchObject({ disabled: 1 });
  await manager.submit(one, { intent: "enable" });
  expect(await findAppRow(gatehouse, app.id)).toMatchObject({ disabled: 0, disabled_by_site: 0 });
  expect(locationOf(await manager.submit(one, { intent: "delete" }))).toBe(OF_SITE);
  expect(await appsOf(organization)).toEqual([]);
  // The organization hears of it.
  const actions = (await eventsOf(organization)).map(({ action }) => action);
  expect(actions).toEqual(["app.disabled", "app.enabled", "app.deleted"]);
});
