import { afterAll, expect, test } from "vitest";
import {
  accessibleError,
  alertsOf,
  locationOf,
  toastOf,
  typedIn,
} from "../../../../tests/support/client.ts";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser, aUser } from "../../../../tests/support/people.ts";
import { makeProofOld } from "../../../../tests/support/sessions.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { hashSecret, isSecret } from "../client-secret.ts";
import { MAX_APIS, MAX_APPS } from "../limits.ts";
import {
  APP_SECRET,
  type AppRow,
  aConnection,
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

const LIST = "/manager/settings/apps";
const NEW = `${LIST}/new`;
const VALUES: [string, string][] = [
  ["name", "Help desk"],
  ["uri", "https://help.example.com"],
  ["redirectUris", "https://help.example.com/callback\r\nhttp://localhost:3000/callback"],
  ["afterSignOut", "https://help.example.com/bye"],
  ["logoutUri", "https://help.example.com/logout"],
  ["apis", "https://b.example.com\r\nhttps://a.example.com/v1"],
  ["scopes", "email"],
  ["scopes", "profile"],
];
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { browser: auditor } = await aSignedInUser(gatehouse, { role: "auditor" });
const { browser: support } = await aSignedInUser(gatehouse, { role: "support" });

type Event = { action: string; actor_id: string; details: Record<string, unknown> | null };

async function eventsOf(id: string): Promise<Event[]> {
  const { results } = await d1
    .prepare(
      "SELECT action, actor_id, details FROM audit_event WHERE target_type = 'app' AND target_id = ? ORDER BY created_at",
    )
    .bind(id)
    .all<Omit<Event, "details"> & { details: string | null }>();
  return results.map((event) => ({ ...event, details: JSON.parse(event.details ?? "null") }));
}

const actionsOf = async (id: string) => (await eventsOf(id)).map(({ action }) => action);

async function allApps(): Promise<AppRow[]> {
  const { results } = await d1
    .prepare("SELECT * FROM oauth_client ORDER BY created_at, id")
    .all<AppRow>();
  return results;
}

/** The servers for which an app gets tokens. */
async function apisOf({ client_id }: AppRow): Promise<string[]> {
  const { results } = await d1
    .prepare("SELECT resource_id FROM oauth_client_resource WHERE client_id = ? ORDER BY 1")
    .bind(client_id)
    .all<{ resource_id: string }>();
  return results.map(({ resource_id }) => resource_id);
}

async function allApis(): Promise<string[]> {
  const { results } = await d1
    .prepare("SELECT identifier FROM oauth_resource ORDER BY 1")
    .all<{ identifier: string }>();
  return results.map(({ identifier }) => identifier);
}

const deleteAll = () => run("DELETE FROM oauth_client");

/** Valid fields of the form of an app, with others in their place. */
function update(fields: Record<string, string> = {}): [string, string][] {
  const given = { intent: "update", version: "1", ...fields };
  return [...VALUES.filter(([name]) => !(name in given)), ...Object.entries(given)];
}

test("a manager adds an app, sees its secret once, and only its hash is stored", async () => {
  const empty = readPage(await (await manager.get(LIST)).text());
  expect(empty.text()).toContain(say("connected-apps:office.emptyText"));
  expect(empty.linkTo(say("connected-apps:office.add"))).toBe(NEW);

  const made = await (await manager.submit(NEW, [["kind", "server"], ...VALUES])).text();
  const page = readPage(made);
  const secret = page.field("secret")?.value ?? "";
  expect(secret).toMatch(/^ghs_[\w-]{43}$/);
  const [row] = await allApps();
  expect(row).toMatchObject({
    client_secret: await hashSecret(secret),
    name: "Help desk",
    uri: "https://help.example.com/",
    redirect_uris: '["https://help.example.com/callback","http://localhost:3000/callback"]',
    post_logout_redirect_uris: '["https://help.example.com/bye"]',
    logout_uri: "https://help.example.com/logout",
    scopes: '["openid","profile","email"]',
    token_endpoint_auth_method: "client_secret_basic",
    application_type: "web",
    grant_types: '["authorization_code","refresh_token"]',
    response_types: '["code"]',
    require_pkce: 1,
    skip_consent: 0,
    enable_end_session: 1,
    disabled: 0,
    created_by: admin.id,
  });
  expect(row?.client_id).toMatch(/^[0-9a-f]{32}$/);
  const one = `${LIST}/${row?.id}`;
  expect(page.linkTo(say("connected-apps:office.done"))).toBe(one);
  for (const value of [
    gatehouse.origin,
    row?.client_id,
    `${gatehouse.origin}/.well-known/openid-configuration`,
  ]) {
    expect(page.text()).toContain(value);
  }

  for (const path of [LIST, one, `${one}?state=edit`]) {
    const shown = await (await manager.get(path)).text();
    expect(shown).toContain("Help desk");
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(row?.client_secret);
  }
  expect(await eventsOf(row?.id ?? "")).toEqual([
    {
      action: "app.created",
      actor_id: admin.id,
      details: {
        after: {
          name: "Help desk",
          startPage: "https://help.example.com/",
          redirectUris: "https://help.example.com/callback http://localhost:3000/callback",
          afterSignOut: "https://help.example.com/bye",
          logoutUri: "https://help.example.com/logout",
          apis: "https://a.example.com/v1 https://b.example.com",
          scopes: "openid profile email",
          asksPeople: "yes",
        },
      },
    },
  ]);
  await deleteAll();
});

test.each([
  ["https://spa.example.com/callback", "web"],
  ["com.example.app:/callback", "native"],
  ["http://127.0.0.1/callback", "native"],
])("a public app that returns to %s has no secret and is %s", async (redirectUris, type) => {
  const fields = { kind: "public", name: "Phone app", redirectUris, skipConsent: "yes" };
  const answer = await manager.submit(NEW, fields);

  const [row] = await allApps();
  expect(locationOf(answer)).toBe(`${LIST}/${row?.id}`);
  expect(row).toMatchObject({
    client_secret: null,
    token_endpoint_auth_method: "none",
    application_type: type,
    require_pkce: 1,
    skip_consent: 1,
    uri: null,
    scopes: '["openid"]',
    post_logout_redirect_uris: "[]",
  });
  const shown = readPage(await (await manager.get(`${LIST}/${row?.id}`)).text());
  expect(shown.text()).toContain(row?.client_id);
  expect(shown.find("button", say("connected-apps:office.rotate"))).toBeUndefined();
  expect((await manager.submit(`${LIST}/${row?.id}`, { intent: "rotate" })).status).toBe(404);
  await deleteAll();
});

test.each([
  ["redirectUris", "", "required"],
  ["redirectUris", "https://a@b", "userInfo"],
  ["redirectUris", "HTTPS://A.example/../x", "spelling"],
  ["redirectUris", "https://a.example/x#", "fragment"],
  ["redirectUris", "http://localhost.evil.com", "scheme"],
  ["redirectUris", "javascript:alert(1)", "scheme"],
  ["redirectUris", "com.example.app:/callback", "scheme"],
  ["redirectUris", "https://*.example/", "wildcard"],
  ["redirectUris", "a.example", "invalid"],
  ["redirectUris", `https://a.example/${"x".repeat(2_100)}`, "tooLong"],
  ["afterSignOut", "data:text/html,x", "scheme"],
  ["apis", "http://a.example/", "scheme"],
  ["apis", "https://a.example/x#y", "fragment"],
] as const)("%s with %s is refused beside its field, and stays", async (field, typed, why) => {
  const fields = new URLSearchParams([["kind", "server"], ...VALUES]);
  fields.set(field, typed);
  for (const language of ["en", "fr", "ar", "sw"] as const) {
    const headers = { "accept-language": language };
    const answer = await manager.submit(NEW, fields, { headers });
    expect(answer.status).toBe(400);
    const html = await answer.text();
    const [text = ""] = translationsIn(language)(`connected-apps:office.uris.${why}`).split("{{");
    expect(accessibleError(html, field)).toContain(text);
    if (language !== "en") continue;
    expect(readPage(html).field(field)?.value?.trim()).toBe(typed);
    expect(typedIn(html, "name")).toBe("Help desk");
    expect(html).toMatch(/id="scope-email"[^>]*checked/);
  }
  expect(await allApps()).toEqual([]);
});

test("name, start page and kind are refused beside their fields", async () => {
  const fields = { name: "x".repeat(61), uri: "javascript:alert(1)", redirectUris: "https://a.b/" };
  const answer = await manager.submit(NEW, fields);

  const html = await answer.text();
  expect(answer.status).toBe(400);
  expect(accessibleError(html, "name")).toContain("60");
  expect(accessibleError(html, "uri")).toBe(say("connected-apps:office.uriInvalid"));
  expect(alertsOf(html)).toContain(say("connected-apps:office.kindRequired"));
  expect(await allApps()).toEqual([]);
});

test("a secret is replaced, and for 24 hours the one before counts too", async () => {
  const app = await anApp(gatehouse);
  const path = `${LIST}/${app.id}`;

  const page = readPage(await (await manager.submit(path, { intent: "rotate" })).text());
  const secret = page.field("secret")?.value ?? "";
  const stored = (await findAppRow(gatehouse, app.id))?.client_secret ?? "";
  const now = new Date();
  expect(secret).not.toBe(APP_SECRET);
  expect(stored).not.toContain(secret);
  expect(await isSecret(secret, stored, now)).toBe(true);
  expect(await isSecret(APP_SECRET, stored, now)).toBe(true);
  const later = new Date(now.getTime() + 25 * 3_600_000);
  expect(await isSecret(secret, stored, later)).toBe(true);
  expect(await isSecret(APP_SECRET, stored, later)).toBe(false);

  const shown = await (await manager.get(path)).text();
  expect(shown).not.toContain(secret);
  expect(readPage(shown).text()).toContain(say("connected-apps:office.oldSecretUntil"));
  expect(shown).toContain(say("connected-apps:office.rotateAgainText"));
  expect(await eventsOf(app.id)).toEqual([
    { action: "app.secret_rotated", actor_id: admin.id, details: { name: app.name } },
  ]);

  const [, , until = ""] = stored.split(" ");
  const past = stored.replace(until, String(Date.now() - 1));
  await run("UPDATE oauth_client SET client_secret = ? WHERE id = ?", past, app.id);
  const after = readPage(await (await manager.get(path)).text());
  expect(after.text()).not.toContain(say("connected-apps:office.oldSecretUntil"));
  await deleteAll();
});

test("of two replacements at once each is shown the secret that counts, or refused", async () => {
  const app = await anApp(gatehouse);
  const answers = await Promise.all(
    [1, 2].map(() => manager.submit(`${LIST}/${app.id}`, { intent: "rotate" })),
  );

  const stored = (await findAppRow(gatehouse, app.id))?.client_secret ?? "";
  for (const answer of answers) {
    const html = await answer.text();
    const secret = readPage(html).field("secret")?.value;
    if (answer.status === 409) {
      expect(alertsOf(html)).toContain(say("connected-apps:office.notRotated"));
    } else {
      expect(await isSecret(secret ?? "", stored, new Date())).toBe(true);
    }
  }
  await deleteAll();
});

test("there is room for so many apps, also for those added at once", async () => {
  await manyApps(gatehouse, MAX_APPS - 1);
  const fields = { kind: "public", name: "One more", redirectUris: "https://a.example/" };

  const answers = await Promise.all([1, 2, 3].map(() => manager.submit(NEW, fields)));

  expect(answers.map(({ status }) => status).sort()).toEqual([302, 409, 409]);
  expect(await allApps()).toHaveLength(MAX_APPS);
  const refused = answers.find(({ status }) => status === 409);
  const html = (await refused?.text()) ?? "";
  expect(alertsOf(html)).toContain(say("connected-apps:office.full"));
  expect(typedIn(html, "name")).toBe("One more");
  const list = readPage(await (await manager.get(LIST)).text());
  expect(list.text()).toContain(say("connected-apps:office.full"));
  expect(list.linkTo(say("connected-apps:office.add"))).toBeUndefined();
  await deleteAll();
});

test("an app is changed, and its event tells what differs", async () => {
  const app = await anApp(gatehouse, { name: "Wiki", version: 1 });
  const path = `${LIST}/${app.id}`;

  const answer = await manager.submit(path, update({ name: "New wiki", skipConsent: "yes" }));

  expect(await toastOf(manager, answer)).toBe(say("connected-apps:office.toast.saved"));
  const row = await findAppRow(gatehouse, app.id);
  expect(row).toMatchObject({
    name: "New wiki",
    uri: "https://help.example.com/",
    skip_consent: 1,
    version: 2,
    client_id: app.client_id,
    client_secret: app.client_secret,
    token_endpoint_auth_method: "client_secret_basic",
  });
  expect(row?.search_key).toContain("new wiki");
  const [event] = await eventsOf(app.id);
  expect(event).toMatchObject({
    action: "app.updated",
    details: {
      before: { name: "Wiki", asksPeople: "yes", startPage: null },
      after: { name: "New wiki", asksPeople: "no" },
    },
  });
  const log = await (await manager.get(`/manager/audit?target=${app.id}`)).text();
  expect(readPage(log).text()).toContain("New wiki");

  // The same once more leaves no event.
  await manager.submit(path, update({ name: "New wiki", skipConsent: "yes", version: "2" }));
  expect(await actionsOf(app.id)).toEqual(["app.updated"]);
  await deleteAll();
});

test("the servers of an app are stored with the app that changes, and go with the last one", async () => {
  const [app, other] = [await anApp(gatehouse), await anApp(gatehouse)];
  const [one, two] = ["https://a.example.com/v1", "https://b.example.com"];
  await anApi(gatehouse, other, two);
  const path = `${LIST}/${app.id}`;

  await manager.submit(path, update());

  expect(await apisOf(app)).toEqual([one, two]);
  const kept = "SELECT identifier, name, access_token_ttl, disabled FROM oauth_resource ORDER BY 1";
  const { results } = await d1.prepare(kept).all();
  const row = { access_token_ttl: 300, disabled: 0 };
  expect(results).toEqual([
    { identifier: one, name: one, ...row },
    { identifier: two, name: two, ...row },
  ]);
  for (const url of [path, `${path}?state=edit`]) {
    const shown = await (await manager.get(url)).text();
    for (const api of [one, two]) expect(shown).toContain(api);
  }

  const many = Array.from({ length: MAX_APIS + 1 }, (_, at) => `${one}/${at}`).join("\r\n");
  const refused = await manager.submit(`${path}?state=edit`, update({ apis: many, version: "2" }));
  expect(refused.status).toBe(400);
  expect(accessibleError(await refused.text(), "apis")).toContain(String(MAX_APIS));

  // Another order is no change, and a form that comes too late changes nothing.
  await manager.submit(path, update({ apis: `${one}\r\n${two}`, version: "2" }));
  expect(await actionsOf(app.id)).toEqual(["app.updated"]);
  expect((await manager.submit(path, update({ apis: "", version: "1" }))).status).toBe(409);
  expect(await apisOf(app)).toEqual([one, two]);

  await manager.submit(path, update({ apis: "https://c.example.com", version: "2" }));
  expect(await apisOf(app)).toEqual(["https://c.example.com"]);
  expect(await allApis()).toEqual([two, "https://c.example.com"]);
  expect((await eventsOf(app.id)).at(-1)?.details).toMatchObject({
    before: { apis: `${one} ${two}` },
    after: { apis: "https://c.example.com" },
  });

  await manager.submit(path, { intent: "delete" });
  expect(await allApis()).toEqual([two]);
  await run("DELETE FROM oauth_resource");
  await deleteAll();
});

test("a change that another manager's came before shows both", async () => {
  const app = await anApp(gatehouse, { name: "Wiki" });
  const path = `${LIST}/${app.id}`;
  await manager.submit(path, update({ name: "Theirs" }));

  const answer = await manager.submit(path, update({ name: "Mine" }));

  expect(answer.status).toBe(409);
  const html = await answer.text();
  expect(alertsOf(html).join(" ")).toContain("Theirs");
  expect(typedIn(html, "name")).toBe("Mine");
  expect(typedIn(html, "version")).toBe("2");
  expect(await findAppRow(gatehouse, app.id)).toMatchObject({ name: "Theirs", version: 2 });
  const again = await manager.submit(path, update({ name: "Mine", version: "2" }));
  expect(locationOf(again)).toBe(path);
  expect(await findAppRow(gatehouse, app.id)).toMatchObject({ name: "Mine", version: 3 });
  await deleteAll();
});

test("what was typed stays in the form of an app that is refused", async () => {
  const app = await anApp(gatehouse);
  const path = `${LIST}/${app.id}?state=edit`;
  const answer = await manager.submit(path, update({ redirectUris: "x", name: "Typed" }));

  const html = await answer.text();
  expect(answer.status).toBe(400);
  expect(accessibleError(html, "redirectUris")).toContain("Line 1");
  expect(typedIn(html, "name")).toBe("Typed");
  await deleteAll();
});

test("switching an app off ends its tokens, and its people stay known for when it is on again", async () => {
  const app = await anApp(gatehouse);
  await aConnection(gatehouse, app, await aUser(gatehouse));
  const path = `${LIST}/${app.id}`;
  const count = (table: string) =>
    d1.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n");

  const off = await manager.submit(path, { intent: "disable" });
  expect(await toastOf(manager, off)).toBe(say("connected-apps:office.toast.disabled"));
  expect(await findAppRow(gatehouse, app.id)).toMatchObject({ disabled: 1 });
  expect(await count("oauth_refresh_token")).toBe(0);
  expect(await count("oauth_consent")).toBe(1);
  await manager.submit(path, { intent: "disable" });

  const on = await manager.submit(path, { intent: "enable" });
  expect(await toastOf(manager, on)).toBe(say("connected-apps:office.toast.enabled"));
  expect(await findAppRow(gatehouse, app.id)).toMatchObject({ disabled: 0 });
  expect(await actionsOf(app.id)).toEqual(["app.disabled", "app.enabled"]);
  await deleteAll();
});

test("the question before a deletion counts people, and what they allowed goes with the app", async () => {
  const app = await anApp(gatehouse, { name: "Old app" });
  const [one, other] = [await aUser(gatehouse), await aUser(gatehouse)];
  const unused = readPage(await (await manager.get(`${LIST}/${app.id}`)).text());
  expect(unused.text()).toContain("Nobody signs in to it");
  await aConnection(gatehouse, app, one);
  await aConnection(gatehouse, app, other);
  await aConnection(gatehouse, app, other);
  const path = `${LIST}/${app.id}`;
  const shown = readPage(await (await manager.get(path)).text());
  expect(shown.text()).toContain("2 people sign in to it");

  const answer = await manager.submit(path, { intent: "delete" });

  expect(locationOf(answer)).toBe(LIST);
  expect(await findAppRow(gatehouse, app.id)).toBeNull();
  for (const table of ["oauth_consent", "oauth_refresh_token"]) {
    const left = await d1.prepare(`SELECT 1 FROM ${table}`).first();
    expect(left).toBeNull();
  }
  expect(await eventsOf(app.id)).toMatchObject([
    { action: "app.deleted", details: { before: { name: "Old app" } } },
  ]);
  expect((await manager.submit(path, { intent: "delete" })).status).toBe(404);
  expect(readPage(await (await manager.get("/manager/audit")).text()).text()).toContain("Old app");
});

test("an auditor reads and changes nothing, and support sees nothing", async () => {
  const app = await anApp(gatehouse);
  const path = `${LIST}/${app.id}`;
  for (const url of [LIST, path, `${path}?state=edit`]) {
    const answer = await auditor.get(url);
    expect(answer.status).toBe(200);
    const page = readPage(await answer.text());
    expect(page.text()).toContain(app.name);
    expect(page.field("name")).toBeUndefined();
    expect(page.linkTo(say("connected-apps:office.add"))).toBeUndefined();
    expect(page.find("button", say("connected-apps:office.delete"))).toBeUndefined();
    expect((await support.get(url)).status).toBe(403);
  }
  expect((await auditor.get(NEW)).status).toBe(403);
  for (const browser of [auditor, support]) {
    expect((await browser.submit(NEW, [["kind", "server"], ...VALUES])).status).toBe(403);
    for (const fields of [update(), [["intent", "delete"]] as [string, string][]]) {
      expect((await browser.submit(path, fields)).status).toBe(403);
    }
  }
  expect(await allApps()).toEqual([app]);
  await deleteAll();
});

test("each change needs a fresh proof, and bad input is told before it", async () => {
  const app = await anApp(gatehouse);
  const path = `${LIST}/${app.id}`;
  const { user, browser } = await anAdmin(gatehouse);
  await makeProofOld(gatehouse, user);
  const changes: [string, [string, string][]][] = [
    [NEW, [["kind", "server"], ...VALUES]],
    [path, update()],
    ...["rotate", "disable", "enable", "delete"].map((intent): [string, [string, string][]] => [
      path,
      [["intent", intent]],
    ]),
  ];
  for (const [url, fields] of changes) {
    expect(locationOf(await browser.submit(url, fields))).toContain("/manager/account/confirm?");
  }
  expect((await browser.submit(path, update({ redirectUris: "" }))).status).toBe(400);
  expect(await allApps()).toEqual([app]);
  await deleteAll();
});

test("apps are found by name, client ID and start page, in the list and by the palette", async () => {
  const app = await anApp(gatehouse, { name: "Quokka desk", uri: "https://wombat.example/" });
  await anApp(gatehouse, { name: "Other" });
  for (const term of ["QUOKKA", app.client_id, "wombat"]) {
    const list = readPage(await (await manager.get(`${LIST}?searchTerm=${term}`)).text());
    expect(list.linkTo("Quokka desk")).toBe(`${LIST}/${app.id}`);
    expect(list.linkTo("Other")).toBeUndefined();
    const payload = JSON.stringify({ searchTerm: term });
    const search = `/_server/record-search?${new URLSearchParams({ payload })}`;
    const found = JSON.parse(await (await manager.get(search)).text()).result;
    expect(found.things.app).toEqual([{ id: app.id, name: "Quokka desk", detail: app.client_id }]);
    const { browser: user } = await aSignedInUser(gatehouse);
    const hidden = JSON.parse(await (await user.get(search)).text()).result;
    expect(hidden.things.app ?? []).toEqual([]);
  }
  const byName = readPage(await (await manager.get(`${LIST}?sort=name&direction=asc`)).text());
  expect(byName.rows().map(([name]) => name)).toEqual(["Other", "Quokka desk"]);
  await deleteAll();
});
