import * as client from "openid-client";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { locationOf, newBrowser, nextIpAddress } from "../../../../tests/support/client.ts";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser } from "../../../../tests/support/people.ts";
import { makeProofOld } from "../../../../tests/support/sessions.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { LANGUAGES } from "../../../i18n/languages.ts";
import { MAX_APPS, MAX_REGISTERED_APPS, REGISTRATION_LIMITS } from "../limits.ts";
import { PROVIDER } from "../provider-paths.ts";
import { type AppRow, aConsent, anAccessToken, anApp, findAppRow, manyApps } from "./apps.ts";
import { allow, ask, exchange, open, walk } from "./relying-party.ts";

// Apps register themselves by a call. Source: RFC 7591.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1 } = gatehouse;
const run = statementsOn(gatehouse);
const say = translationsIn("en");

const LIST = "/manager/settings/apps";
const SETTINGS = `${LIST}/registration`;
const CALLBACK = "http://127.0.0.1:53123/callback";
const VALID = { client_name: "Notebook", redirect_uris: [CALLBACK] };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const { browser: manager } = await anAdmin(gatehouse);

beforeEach(async () => {
  await run("UPDATE oauth_registration_setting SET by_call = 1, by_document = 0");
});

/** Sends a body as a program does, by default from an IP address of its own. */
function post(body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(gatehouse.url.origin + PROVIDER.register, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "cf-connecting-ip": nextIpAddress(),
      connection: "close",
      ...headers,
    },
  });
}

const register = (metadata: unknown, headers?: Record<string, string>) =>
  post(JSON.stringify(metadata), headers);

type Registered = { client_id: string } & Record<string, unknown>;

async function registered(metadata: unknown = VALID, headers?: Record<string, string>) {
  const answer = await register(metadata, headers);
  expect(answer.status).toBe(201);
  return (await answer.json()) as Registered;
}

function rowOf({ client_id }: Registered): Promise<AppRow | null> {
  return d1.prepare("SELECT * FROM oauth_client WHERE client_id = ?").bind(client_id).first();
}

async function idOf(app: Registered): Promise<string> {
  return (await rowOf(app))?.id ?? "";
}

async function countApps(): Promise<number> {
  return (await d1.prepare("SELECT count(*) AS n FROM oauth_client").first<number>("n")) ?? 0;
}

async function metadataOf(path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(gatehouse.url.origin + path, { headers: { connection: "close" } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

/** Inserts so many apps that have registered themselves. */
async function manyRegistered(count: number): Promise<void> {
  await manyApps(gatehouse, count);
  await run(
    `INSERT INTO oauth_registration (client_id, way, created_at)
     SELECT client_id, 'call', created_at FROM oauth_client WHERE created_by IS NULL
       AND client_id NOT IN (SELECT client_id FROM oauth_registration)`,
  );
}

const deleteAll = () => run("DELETE FROM oauth_client");

test("an app registers itself with openid-client, and signs its user in", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const config = await client.dynamicClientRegistration(
    new URL(gatehouse.origin),
    {
      ...VALID,
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    },
    client.None(),
    { execute: [client.allowInsecureRequests] },
  );
  const { client_id: clientId } = config.clientMetadata();

  const asking = await ask(config, { redirectUri: CALLBACK }, { redirect_uri: CALLBACK });
  const asked = await open(gatehouse, browser, asking);
  const page = readPage((await asked.page?.text()) ?? "");
  expect(page.text()).toContain(say("connected-apps:unchecked.title"));
  expect(page.text()).toContain("http://127.0.0.1:53123");
  const away = await allow(gatehouse, browser, asking);
  const tokens = await exchange(config, away, asking);
  expect(tokens.claims()).toMatchObject({ sub: user.id, aud: clientId, email: user.email });

  const again = await client.refreshTokenGrant(config, String(tokens.refresh_token));
  await client.fetchUserInfo(config, again.access_token, user.id);
  await client.tokenRevocation(config, String(again.refresh_token));
  await expect(client.refreshTokenGrant(config, String(again.refresh_token))).rejects.toThrow();
});

test("the port of an app on the own machine may be another one at each sign-in", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const app = await registered({ redirect_uris: ["http://localhost/callback"] });
  const config = new client.Configuration(
    (
      await client.discovery(new URL(gatehouse.origin), app.client_id, {}, client.None(), {
        execute: [client.allowInsecureRequests],
      })
    ).serverMetadata(),
    app.client_id,
    {},
    client.None(),
  );
  client.allowInsecureRequests(config);
  const redirectUri = "http://localhost:49152/callback";
  const asking = await ask(config, { redirectUri });

  const away = await allow(gatehouse, browser, asking);

  expect(away.href.startsWith(redirectUri)).toBe(true);
  await exchange(config, away, asking);
});

test("what is stored is a public app that asks people, and the audit log tells of it", async () => {
  const answer = await register({
    ...VALID,
    redirect_uris: [CALLBACK, "https://notebook.example.com/callback"],
    client_uri: "https://notebook.example.com",
    logo_uri: "https://notebook.example.com/logo.png",
    scope: "openid email",
    skip_consent: true,
    jwks_uri: "https://notebook.example.com/jwks",
    sector_identifier_uri: "https://notebook.example.com/sector",
    backchannel_logout_uri: "https://notebook.example.com/logout",
    post_logout_redirect_uris: ["https://notebook.example.com/bye"],
    client_id: "mine",
    client_secret: "mine",
  });
  expect(answer.status).toBe(201);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const app = (await answer.json()) as Registered;

  expect(app).toEqual({
    client_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    client_id_issued_at: expect.any(Number),
    client_name: "Notebook",
    redirect_uris: [CALLBACK, "https://notebook.example.com/callback"],
    application_type: "native",
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    scope: "openid email",
  });
  const row = await rowOf(app);
  expect(row).toMatchObject({
    client_secret: null,
    uri: null,
    token_endpoint_auth_method: "none",
    post_logout_redirect_uris: "[]",
    scopes: '["openid","email"]',
    require_pkce: 1,
    skip_consent: 0,
    disabled: 0,
    created_by: null,
  });
  const { id = "" } = row ?? {};
  expect(await auditOf(gatehouse, id)).toEqual([
    {
      action: "app.created",
      actorId: null,
      details: {
        after: {
          name: "Notebook",
          startPage: null,
          redirectUris: `${CALLBACK} https://notebook.example.com/callback`,
          afterSignOut: null,
          logoutUri: null,
          apis: null,
          scopes: "openid email",
          asksPeople: "yes",
          registeredItself: "yes",
        },
      },
    },
  ]);
  const source = await d1
    .prepare("SELECT ip_address FROM audit_event WHERE target_id = ?")
    .bind(id)
    .first<string>("ip_address");
  expect(source).toMatch(/^198\./);
});

test("off, the call is refused and the metadata names neither way", async () => {
  await run("UPDATE oauth_registration_setting SET by_call = 0");
  const before = await countApps();

  const answer = await register(VALID);

  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error: "access_denied" });
  expect(await countApps()).toBe(before);
  for (const path of [PROVIDER.openId, PROVIDER.oauth]) {
    const metadata = await metadataOf(path);
    expect(metadata).not.toHaveProperty("registration_endpoint");
    expect(metadata).not.toHaveProperty("client_id_metadata_document_supported");
  }
  await run("UPDATE oauth_registration_setting SET by_call = 1, by_document = 1");
  for (const path of [PROVIDER.openId, PROVIDER.oauth]) {
    expect(await metadataOf(path)).toMatchObject({
      registration_endpoint: gatehouse.origin + PROVIDER.register,
      client_id_metadata_document_supported: true,
    });
  }
});

test("while the database is silent, metadata still comes, and no answer of it is kept", async () => {
  const answer = await fetch(gatehouse.url.origin + PROVIDER.openId, {
    headers: { connection: "close", "x-d1-fault": "1 silent" },
  });
  expect(answer.status).toBe(200);
  const metadata = (await answer.json()) as Record<string, unknown>;
  expect(metadata.token_endpoint).toBe(gatehouse.origin + PROVIDER.token);
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

const INVALID = "invalid_client_metadata";
const URI = "invalid_redirect_uri";
const uris = (...redirect_uris: unknown[]) => ({ ...VALID, redirect_uris });

describe("a hostile registration gets its error, and leaves nothing", () => {
  test.each<[what: string, metadata: unknown, error: string]>([
    ["no redirect URI", { client_name: "Notebook" }, URI],
    ["an empty list", uris(), URI],
    [
      "six redirect URIs",
      uris(...[1, 2, 3, 4, 5, 6].map((n) => `https://a.example.com/${n}`)),
      URI,
    ],
    ["a redirect URI that is no text", uris(7), URI],
    ["a text in place of the list", { ...VALID, redirect_uris: CALLBACK }, URI],
    ["a wildcard", uris("https://*.example.com/callback"), URI],
    ["a wildcard in the path", uris("https://a.example.com/*"), URI],
    ["a script", uris("javascript:alert(1)"), URI],
    ["a script with a host", uris("javascript://a.example.com/%0aalert(1)"), URI],
    ["data", uris("data:text/html,x"), URI],
    ["a file", uris("file:///etc/passwd"), URI],
    ["a blob", uris("blob:https://a.example.com/1"), URI],
    ["an Android intent", uris("intent://a#Intent;end"), URI],
    ["a scheme without a dot", uris("notebook:/callback"), URI],
    ["a scheme with a host", uris("com.example.notebook://callback"), URI],
    ["a fragment", uris("https://a.example.com/callback#x"), URI],
    ["an empty fragment", uris("https://a.example.com/callback#"), URI],
    ["a user name", uris("https://user@a.example.com/callback"), URI],
    ["a password", uris("https://:pass@a.example.com/callback"), URI],
    ["http elsewhere", uris("http://a.example.com/callback"), URI],
    ["http at a name that looks like the own machine", uris("http://localhost.evil.com/"), URI],
    ["http at the own machine with a dot", uris("http://localhost./callback"), URI],
    ["http at another loopback address", uris("http://127.0.0.2/callback"), URI],
    ["a path that goes up", uris("https://a.example.com/x/../callback"), URI],
    ["a backslash", uris("https://a.example.com\\@evil.example.com/"), URI],
    ["a line break", uris("https://a.example.com/\r\nLocation: x"), URI],
    ["an invisible character in it", uris("https://a.example.com/\u200b"), URI],
    ["a relative URI", uris("/callback"), URI],
    ["a URI that is too long", uris(`https://a.example.com/${"x".repeat(500)}`), URI],
    ["this site itself", uris(`${gatehouse.origin}/app`), URI],
    ["a web app on the own machine", { ...VALID, application_type: "web" }, URI],
    ["a type of app that there is not", { ...VALID, application_type: "service" }, INVALID],
    ["a name of 10 kB", { ...VALID, client_name: "x".repeat(10_000) }, INVALID],
    ["a name of 61 characters", { ...VALID, client_name: "x".repeat(61) }, INVALID],
    ["an empty name", { ...VALID, client_name: "  " }, INVALID],
    ["a name that is no text", { ...VALID, client_name: { toString: "x" } }, INVALID],
    ["a control character", { ...VALID, client_name: "Note\u0000book" }, INVALID],
    ["an invisible character", { ...VALID, client_name: "Note\u200bbook" }, INVALID],
    ["a soft hyphen", { ...VALID, client_name: "Note\u00adbook" }, INVALID],
    ["a name that turns its direction", { ...VALID, client_name: "Note\u202ekoob" }, INVALID],
    ["a name that is a link", { ...VALID, client_name: "https://evil.example.com" }, INVALID],
    ["half of a character", { ...VALID, client_name: "Note\ud800book" }, INVALID],
    ["an unknown scope", { ...VALID, scope: "openid admin" }, INVALID],
    ["a scope that is no text", { ...VALID, scope: ["openid"] }, INVALID],
    ["a secret", { ...VALID, token_endpoint_auth_method: "client_secret_basic" }, INVALID],
    ["a key", { ...VALID, token_endpoint_auth_method: "private_key_jwt" }, INVALID],
    ["a grant without a person", { ...VALID, grant_types: ["client_credentials"] }, INVALID],
    ["a grant by password", { ...VALID, grant_types: ["authorization_code", "password"] }, INVALID],
    ["the implicit grant", { ...VALID, grant_types: ["implicit"] }, INVALID],
    ["refreshing alone", { ...VALID, grant_types: ["refresh_token"] }, INVALID],
    ["another response type", { ...VALID, response_types: ["token"] }, INVALID],
    ["pairwise subjects", { ...VALID, subject_type: "pairwise" }, INVALID],
    ["ID tokens without a signature", { ...VALID, id_token_signed_response_alg: "none" }, INVALID],
    ["a list in place of an object", [VALID], INVALID],
    ["null", null, INVALID],
    ["a text", "x", INVALID],
  ])("%s", async (_what, metadata, error) => {
    const before = await countApps();

    const answer = await register(metadata);

    expect(answer.status).toBe(400);
    const body = (await answer.json()) as Record<string, unknown>;
    expect(body).toEqual({ error, error_description: expect.stringMatching(/.{10}/) });
    expect(await countApps()).toBe(before);
  });

  test.each<[what: string, body: string, headers?: Record<string, string>]>([
    ["another type", "client_name=x", { "content-type": "application/x-www-form-urlencoded" }],
    ["text", JSON.stringify(VALID), { "content-type": "text/plain" }],
    ["a type that only begins so", JSON.stringify(VALID), { "content-type": "application/jsonp" }],
    ["no JSON", "{"],
    ["nothing", ""],
    ["a huge body", JSON.stringify({ ...VALID, more: "x".repeat(20_000) })],
    ["a deep body", `${"[".repeat(8_000)}${"]".repeat(8_000)}`],
    ["a prototype", '{"__proto__":{"redirect_uris":["https://a.example.com/"]}}'],
  ])("a body of %s", async (_what, body, headers) => {
    const before = await countApps();

    const answer = await post(body, headers);

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: expect.stringMatching(/^invalid_/) });
    expect(await countApps()).toBe(before);
  });
});

test("a page of another site cannot register an app with its visitors' IP addresses", async () => {
  const before = await countApps();
  const pages: Record<string, string>[] = [
    { origin: "https://evil.example.com" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
  ];
  for (const headers of pages) {
    const answer = await register(VALID, headers);
    expect(answer.status).toBe(403);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  }
  expect(await countApps()).toBe(before);
});

test("a cookie of a manager changes nothing about a registration", async () => {
  const answer = await manager.api(PROVIDER.register, { ...VALID, client_name: "With cookie" });
  const app = (await answer.json()) as Registered;

  expect(answer.status).toBe(201);
  expect(await rowOf(app)).toMatchObject({ created_by: null, skip_consent: 0 });
});

test("an app gets no scope that managers do not allow such apps", async () => {
  await run(`UPDATE oauth_registration_setting SET scopes = '["openid","profile"]'`);
  const all = await registered();
  const some = await registered({ ...VALID, scope: "email profile" });
  await run(
    `UPDATE oauth_registration_setting
     SET scopes = '["openid","profile","email","organization","offline_access"]'`,
  );

  expect(all.scope).toBe("openid profile");
  expect(some.scope).toBe("openid profile");
  expect((await registered()).scope).toBe("openid profile email organization offline_access");
});

test("an app without a name is called after where it leads", async () => {
  const names = [
    await registered({ redirect_uris: ["https://notebook.example.com/callback"] }),
    await registered({ redirect_uris: ["com.example.notebook:/callback"], client_name: null }),
  ].map(({ client_name }) => client_name);

  expect(names).toEqual(["notebook.example.com", "com.example.notebook"]);
});

test("an IP address may call ten times a minute, and a network register ten apps an hour", async () => {
  const { calls, apps } = REGISTRATION_LIMITS;
  const from = { "cf-connecting-ip": nextIpAddress() };
  const at = (ms: number) => ({ ...from, "x-clock": String(Date.now() + ms) });
  for (let count = 0; count < calls.max; count++) {
    expect((await register({}, at(0))).status).toBe(400);
  }
  const refused = await register(VALID, at(0));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ error: "temporarily_unavailable" });

  for (let count = 0; count < apps.max; count++) {
    expect((await register(VALID, at(120_000 + count * 10_000))).status).toBe(201);
  }
  const eleventh = await register(VALID, at(300_000));
  expect(eleventh.status).toBe(429);
  expect(Number(eleventh.headers.get("retry-after"))).toBeGreaterThan(60);
  // Nobody else waits for it, and an hour later it goes on.
  await registered();
  expect((await register(VALID, at(120_000 + HOUR_MS + 1_000))).status).toBe(201);
});

test("all addresses of a /48 network register ten apps together", async () => {
  const { apps } = REGISTRATION_LIMITS;
  const answers: number[] = [];
  for (let count = 0; count <= apps.max; count++) {
    const ip = `2001:db8:7:${count.toString(16)}::1`;
    answers.push((await register(VALID, { "cf-connecting-ip": ip })).status);
  }
  expect(answers.slice(0, apps.max)).toEqual(Array(apps.max).fill(201));
  expect(answers.at(-1)).toBe(429);
});

test("of twenty at once where there is room for one, one gets in; managers have their own room", async () => {
  await deleteAll();
  await manyRegistered(MAX_REGISTERED_APPS - 1);

  const answers = await Promise.all(Array.from({ length: 20 }, () => register(VALID)));

  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([201, ...Array(19).fill(503)]);
  const full = answers.find(({ status }) => status === 503);
  expect(full?.headers.get("retry-after")).toBe("3600");
  expect(await countApps()).toBe(MAX_REGISTERED_APPS);
  const settings = readPage(await (await manager.get(SETTINGS)).text());
  expect(settings.text()).toContain(
    say("connected-apps:registration.countOf", {
      taken: MAX_REGISTERED_APPS,
      maximum: MAX_REGISTERED_APPS,
    }),
  );

  const own = { kind: "public", name: "Own", redirectUris: "https://own.example.com/callback" };
  expect(locationOf(await manager.submit(`${LIST}/new`, own))).toMatch(/^\/manager\/settings/);
  await manyApps(gatehouse, MAX_APPS - 1);
  expect((await manager.submit(`${LIST}/new`, { ...own, name: "Another" })).status).toBe(409);
  await run(
    "DELETE FROM oauth_client WHERE client_id IN (SELECT client_id FROM oauth_registration)",
  );
  await registered();
  await deleteAll();
});

test("the cron deletes what nobody allowed in a day or used in 90, and nothing else", async () => {
  await deleteAll();
  const { user } = await aSignedInUser(gatehouse);
  const added = await anApp(gatehouse, { created_at: Date.now() - 400 * DAY_MS });
  const names = ["unused", "allowed", "token", "old", "off", "ended"] as const;
  const apps = Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [
        name,
        await rowOf(await registered({ ...VALID, client_name: name })),
      ]),
    ),
  ) as Record<(typeof names)[number], AppRow>;
  await aConsent(gatehouse, user, apps.allowed);
  await anAccessToken(gatehouse, user, apps.token);
  await aConsent(gatehouse, user, apps.old, { created_at: Date.now() - 91 * DAY_MS });
  await aConsent(gatehouse, user, apps.ended);
  await run("DELETE FROM oauth_consent WHERE client_id = ?", apps.ended.client_id);
  await run("UPDATE oauth_client SET disabled = 1 WHERE id = ?", apps.off.id);
  const left = async () => {
    const { results } = await d1
      .prepare("SELECT name FROM oauth_client WHERE id <> ? ORDER BY name")
      .bind(added.id)
      .all<{ name: string }>();
    return results.map(({ name }) => name);
  };

  await gatehouse.runHourly(new Date(Date.now() + 23 * HOUR_MS));
  expect(await left()).toEqual(["allowed", "ended", "off", "token", "unused"]);
  expect(await auditOf(gatehouse, apps.old.id)).toContainEqual({
    action: "app.deleted",
    actorId: null,
    details: { name: "old" },
  });

  await gatehouse.runHourly(new Date(Date.now() + 25 * HOUR_MS));
  expect(await left()).toEqual(["allowed", "ended", "off", "token"]);

  await gatehouse.runHourly(new Date(Date.now() + 91 * DAY_MS));
  expect(await left()).toEqual(["off"]);
  expect(await findAppRow(gatehouse, added.id)).not.toBeNull();
});

test("an app that is used every few weeks stays", async () => {
  const { user } = await aSignedInUser(gatehouse);
  const app = await rowOf(await registered());
  if (!app) throw new Error("It was not stored");
  for (const days of [0, 60, 120, 180]) {
    const at = Date.now() + days * DAY_MS;
    await anAccessToken(gatehouse, user, app, { created_at: at });
    await gatehouse.runHourly(new Date(at + 89 * DAY_MS));
    expect(await findAppRow(gatehouse, app.id)).not.toBeNull();
  }
  await gatehouse.runHourly(new Date(Date.now() + 271 * DAY_MS));
  expect(await findAppRow(gatehouse, app.id)).toBeNull();
});

test("managers see such apps apart, switch them off and delete them, and cannot change them", async () => {
  await deleteAll();
  const { browser: manager } = await anAdmin(gatehouse);
  await anApp(gatehouse, { name: "Wiki" });
  const app = await registered();
  const id = await idOf(app);
  const shown = async (search = "") =>
    readPage(await (await manager.get(`${LIST}${search}`)).text()).text();
  expect(await shown()).toContain(say("connected-apps:registration.itself"));
  expect(await shown("?maker=themselves")).not.toContain("Wiki");
  expect(await shown("?maker=themselves")).toContain("Notebook");
  expect(await shown("?maker=managers")).toContain("Wiki");
  expect(await shown("?maker=managers")).not.toContain("Notebook");

  const page = readPage(await (await manager.get(`${LIST}/${id}?state=edit`)).text());
  expect(page.text()).toContain(say("connected-apps:registration.itselfText"));
  expect(page.field("redirectUris")).toBeUndefined();
  const update = {
    intent: "update",
    version: "1",
    name: "Mine",
    redirectUris: "https://evil.example.com/",
    skipConsent: "yes",
  };
  expect((await manager.submit(`${LIST}/${id}`, update)).status).toBe(404);
  expect(await rowOf(app)).toMatchObject({ name: "Notebook", skip_consent: 0 });

  expect((await manager.submit(`${LIST}/${id}`, { intent: "disable" })).status).toBe(302);
  expect(await rowOf(app)).toMatchObject({ disabled: 1 });
  expect((await manager.submit(`${LIST}/${id}`, { intent: "delete" })).status).toBe(302);
  expect(await rowOf(app)).toBeNull();
  const actions = (await auditOf(gatehouse, id)).map(({ action }) => action);
  expect(actions).toEqual(["app.created", "app.disabled", "app.deleted"]);
});

test("managers switch it on with a fresh proof, and the audit log says what changed", async () => {
  await run("UPDATE oauth_registration_setting SET by_call = 0, version = 1");
  const { user: admin, browser: manager } = await anAdmin(gatehouse);
  const form = readPage(await (await manager.get(SETTINGS)).text());
  expect(form.field("byCall")?.value).toBe("");
  const typed: [string, string][] = [
    ["byCall", "yes"],
    ["scopes", "email"],
    ["version", "1"],
  ];

  await makeProofOld(gatehouse, admin);
  const stale = await manager.submit(SETTINGS, typed);
  expect(locationOf(stale)).toContain("/manager/account/confirm");
  expect((await register(VALID)).status).toBe(404);

  const { browser: fresh, user } = await anAdmin(gatehouse);
  expect(locationOf(await fresh.submit(SETTINGS, typed))).toBe(SETTINGS);
  expect((await registered()).scope).toBe("openid email");
  const event = await d1
    .prepare("SELECT details FROM audit_event WHERE action = ? AND actor_id = ?")
    .bind("settings.app_registration_changed", user.id)
    .first<string>("details");
  expect(JSON.parse(event ?? "null")).toEqual({
    before: {
      byCall: "no",
      byDocument: "no",
      scopes: "openid profile email organization offline_access",
    },
    after: { byCall: "yes", byDocument: "no", scopes: "openid email" },
  });

  // Another manager's form was loaded before.
  const late = await fresh.submit(SETTINGS, typed);
  expect(late.status).toBe(409);
  expect(await late.text()).toContain(say("common:conflict.overwrite"));
  await run(
    `UPDATE oauth_registration_setting
     SET scopes = '["openid","profile","email","organization","offline_access"]'`,
  );
});

test("a manager who may not change settings sees them, and changes nothing", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "auditor" });
  const page = readPage(await (await browser.get(SETTINGS)).text());
  expect(page.text()).toContain(say("connected-apps:registration.byCall"));
  expect(page.field("byCall")).toBeUndefined();
  expect((await browser.submit(SETTINGS, { version: "1" })).status).toBe(403);
});

test.each(LANGUAGES)(
  "the question says in %s that nobody has checked the app",
  async (language) => {
    const { browser: signedIn, user } = await aSignedInUser(gatehouse);
    const browser = newBrowser(gatehouse, { language });
    for (const [name, value] of signedIn.cookies) browser.cookies.set(name, value);
    await run("UPDATE user SET language = ? WHERE id = ?", language, user.id);
    const app = await registered();
    const checked = await anApp(gatehouse, { redirect_uris: JSON.stringify([CALLBACK]) });
    const pathOf = (clientId: string) =>
      `/app/connect?${new URLSearchParams({
        client_id: clientId,
        response_type: "code",
        redirect_uri: CALLBACK,
        scope: "openid",
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256",
      })}`;
    const textOf = async (clientId: string) =>
      readPage(await (await browser.get(pathOf(clientId))).text()).text();
    const title = translationsIn(language)("connected-apps:unchecked.title");

    expect(await textOf(app.client_id)).toContain(title);
    expect(await textOf(app.client_id)).toContain("http://127.0.0.1:53123");
    expect(await textOf(checked.client_id)).not.toContain(title);
  },
);

test("a device's page says it too", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const device = "urn:ietf:params:oauth:grant-type:device_code";
  const app = await registered({ ...VALID, grant_types: ["authorization_code", device] });
  const answer = await fetch(gatehouse.url.origin + PROVIDER.device, {
    method: "POST",
    body: new URLSearchParams({ client_id: app.client_id, scope: "openid" }),
    headers: { connection: "close" },
  });
  const { user_code: userCode } = (await answer.json()) as { user_code: string };

  const page = await browser.submit("/app/device", { intent: "look", userCode });

  expect(readPage(await page.text()).text()).toContain(say("connected-apps:unchecked.title"));
  const plain = await registered();
  const refused = await fetch(gatehouse.url.origin + PROVIDER.device, {
    method: "POST",
    body: new URLSearchParams({ client_id: plain.client_id, scope: "openid" }),
    headers: { connection: "close" },
  });
  expect(refused.status).toBe(400);
});

describe("an app that nobody has checked makes no open redirector of the site", () => {
  const elsewhere = "https://notebook.example.com/callback";
  const requests = {
    "a silent request": { prompt: "none" },
    "a scope that it may not have": { scope: "openid nonsense" },
    "no challenge": { code_challenge: "" },
  };

  async function anAsking(redirectUri: string, parameters: Record<string, string>) {
    const app = await registered({ redirect_uris: [redirectUri] });
    const config = await client.discovery(
      new URL(gatehouse.origin),
      app.client_id,
      {},
      client.None(),
      { execute: [client.allowInsecureRequests] },
    );
    return {
      config,
      asking: await ask(config, { redirectUri }, parameters),
      plain: await ask(config, { redirectUri }),
    };
  }

  test.each(Object.entries(requests))("%s", async (_what, parameters) => {
    const { asking, plain } = await anAsking(elsewhere, parameters);
    const stranger = newBrowser(gatehouse);
    const led = await open(gatehouse, stranger, asking);
    expect(led.away).toBeUndefined();
    expect(led.path).toMatch(/^\/login\?/);
    const search = asking.url.search;
    expect(locationOf(await stranger.get(PROVIDER.cancel + search), gatehouse)).toBe("/");

    const { browser } = await aSignedInUser(gatehouse);
    const shown = await open(gatehouse, browser, asking);
    expect(shown.away).toBeUndefined();
    const page = readPage((await shown.page?.text()) ?? "");
    expect(page.text()).toContain(say("connected-apps:unchecked.title"));
    const link = new URL(page.linkTo(say("connected-apps:connect.goOn")) ?? "");
    expect(link.origin + link.pathname).toBe(elsewhere);
    expect(link.searchParams.has("error")).toBe(true);

    // Once the person has allowed it, it is led back as every app is.
    await allow(gatehouse, browser, plain);
    const { away } = await open(gatehouse, browser, asking);
    expect(away?.origin).toBe("https://notebook.example.com");
  });

  test("who cancels on the page that says where it leads goes there", async () => {
    const { browser } = await aSignedInUser(gatehouse);
    const { asking } = await anAsking(elsewhere, {});
    const { path } = await open(gatehouse, browser, asking);

    const { away } = await walk(gatehouse, browser, browser.submit(path, { intent: "refuse" }));

    expect(away?.searchParams.get("error")).toBe("access_denied");
    expect(away?.origin).toBe("https://notebook.example.com");
  });

  test("an app on the own machine is led back at once: nobody else is there", async () => {
    const { asking } = await anAsking(CALLBACK, requests["a silent request"]);
    const { away } = await open(gatehouse, newBrowser(gatehouse), asking);
    expect(away?.searchParams.get("error")).toBe("login_required");
  });
});
