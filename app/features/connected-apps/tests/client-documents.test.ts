import * as client from "openid-client";
import { afterAll, describe, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { newBrowser } from "../../../../tests/support/client.ts";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { LANGUAGES } from "../../../i18n/languages.ts";
import { MAX_REGISTERED_APPS, REGISTRATION_LIMITS } from "../limits.ts";
import { PROVIDER } from "../provider-paths.ts";
import { aDocument, SITE, startAppSite } from "./app-sites.ts";
import { type AppRow, manyApps } from "./apps.ts";
import { allow, ask, discover, exchange, open } from "./relying-party.ts";

// Apps that are known by a document at the URL that is their client ID. Source:
// draft-ietf-oauth-client-id-metadata-document.

const site = await startAppSite();
const gatehouse = await startGatehouse({ standIns: site.standIns });
const DEPLOYED = "https://app.gatehouse.example.org";
const deployed = await startGatehouse({
  vars: { BASE_URL: DEPLOYED },
  standIns: site.standIns,
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await gatehouse[Symbol.asyncDispose]();
  await deployed[Symbol.asyncDispose]();
});
const { d1 } = gatehouse;
const run = statementsOn(gatehouse);
for (const one of [gatehouse, deployed]) {
  await statementsOn(one)("UPDATE oauth_registration_setting SET by_document = 1");
}

const CALLBACK = `https://${SITE}/callback`;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function rowOf(url: string): Promise<AppRow | null> {
  return d1.prepare("SELECT * FROM oauth_client WHERE client_id = ?").bind(url).first<AppRow>();
}

/** The URL with which an app asks that somebody sign in. */
function askPath(clientId: string, redirectUri = CALLBACK): string {
  return `${PROVIDER.authorize}?${new URLSearchParams({
    client_id: clientId,
    response_type: "code",
    redirect_uri: redirectUri,
    scope: "openid",
    state: "s",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  })}`;
}

/** Opens it as a stranger, at another time if need be. Returns where the browser is led. */
async function begin(clientId: string, ms = 0, redirectUri?: string): Promise<string> {
  const browser = newBrowser(gatehouse, { headers: { "x-clock": String(Date.now() + ms) } });
  const answer = await browser.get(askPath(clientId, redirectUri));
  expect(answer.status).toBe(302);
  return answer.headers.get("location") ?? "";
}

const SIGN_IN = /^\/app\/connect\?/;
const errorPath = (code: string) => `/app/connect/error?error=${code}`;

/** Makes a valid document, and the product know it. */
async function aKnownApp(changes: object = {}): Promise<string> {
  const url = site.newUrl();
  site.answer(url, aDocument(url, changes));
  expect(await begin(url)).toMatch(SIGN_IN);
  return url;
}

test("an app that is nothing but a document signs its user in, and is known afterwards", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const url = site.newUrl();
  site.answer(url, aDocument(url));
  const app = { clientId: url, secret: undefined, redirectUri: CALLBACK };
  const config = await discover(gatehouse, app);
  expect(config.serverMetadata()).toMatchObject({ client_id_metadata_document_supported: true });

  const asking = await ask(config, app);
  const asked = await open(gatehouse, browser, asking);
  const text = readPage((await asked.page?.text()) ?? "").text();
  const say = translationsIn("en");
  expect(text).toContain(say("connected-apps:unchecked.title"));
  expect(text).toContain(SITE);
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);

  expect(tokens.claims()).toMatchObject({ sub: user.id, aud: url, email: user.email });
  await client.fetchUserInfo(config, tokens.access_token, user.id);
  const again = await client.refreshTokenGrant(config, String(tokens.refresh_token));
  await client.tokenRevocation(config, String(again.refresh_token));
  await expect(client.refreshTokenGrant(config, String(again.refresh_token))).rejects.toThrow();
  // Asked once, without a redirect, for JSON.
  expect(site.timesAsked(url)).toBe(1);
  expect(site.asked.at(-1)?.accept).toBe("application/json");
  const row = await rowOf(url);
  expect(row).toMatchObject({
    name: "Notebook",
    client_secret: null,
    token_endpoint_auth_method: "none",
    require_pkce: 1,
    skip_consent: 0,
    created_by: null,
    uri: null,
  });
  expect(await auditOf(gatehouse, row?.id ?? "")).toEqual([
    {
      action: "app.created",
      actorId: null,
      details: { after: expect.objectContaining({ registeredItself: "yes", document: url }) },
    },
  ]);
});

test("on a local site, the document and the app may be on the same machine", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const url = `http://127.0.0.1:${site.port}/local.json`;
  site.answer(url, aDocument(url, { redirect_uris: ["http://localhost/callback"] }));
  const app = { clientId: url, secret: undefined, redirectUri: "http://localhost:5000/callback" };
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app);

  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);

  expect(tokens.claims()?.sub).toBe(user.id);
});

test("off, a document is not read, and an app that was known goes on", async () => {
  const known = await aKnownApp();
  const url = site.newUrl();
  site.answer(url, aDocument(url));
  await run("UPDATE oauth_registration_setting SET by_document = 0");

  const answers = [await begin(url), await begin(known, 8 * DAY_MS)];

  await run("UPDATE oauth_registration_setting SET by_document = 1");
  expect(answers).toEqual([errorPath("invalid_client"), expect.stringMatching(SIGN_IN)]);
  expect(site.timesAsked(url)).toBe(0);
  expect(site.timesAsked(known)).toBe(1);
  expect(await rowOf(url)).toBeNull();
});

test("a document that changed is read after a day, and the audit log tells what changed", async () => {
  const url = await aKnownApp();
  const moved = `https://${SITE}/moved`;
  site.answer(url, aDocument(url, { client_name: "Notebook 2", redirect_uris: [moved] }));
  expect(await begin(url, 23 * HOUR_MS)).toMatch(SIGN_IN);
  expect(await begin(url, 23 * HOUR_MS, moved)).toBe(errorPath("invalid_redirect"));
  expect(site.timesAsked(url)).toBe(1);

  expect(await begin(url, 25 * HOUR_MS, moved)).toMatch(SIGN_IN);

  expect(await begin(url, 26 * HOUR_MS)).toBe(errorPath("invalid_redirect"));
  expect(site.timesAsked(url)).toBe(2);
  const row = await rowOf(url);
  expect(row).toMatchObject({ name: "Notebook 2", redirect_uris: JSON.stringify([moved]) });
  const [, changed] = await auditOf(gatehouse, row?.id ?? "");
  expect(changed).toMatchObject({
    action: "app.updated",
    actorId: null,
    details: { before: { name: "Notebook" }, after: { name: "Notebook 2", redirectUris: moved } },
  });
  // Equal, it leaves no event.
  expect(await begin(url, 50 * HOUR_MS, moved)).toMatch(SIGN_IN);
  expect(site.timesAsked(url)).toBe(3);
  expect(await auditOf(gatehouse, row?.id ?? "")).toHaveLength(2);
});

test("while a known document cannot be read, what was read counts for seven days", async () => {
  const url = await aKnownApp();
  site.answer(url, (_request, response) => response.writeHead(503).end());

  expect(await begin(url, 2 * DAY_MS)).toMatch(SIGN_IN);
  // For ten minutes it is not tried again.
  expect(await begin(url, 2 * DAY_MS + 60_000)).toMatch(SIGN_IN);
  expect(site.timesAsked(url)).toBe(2);
  expect(await begin(url, 6 * DAY_MS)).toMatch(SIGN_IN);
  expect(site.timesAsked(url)).toBe(3);
  expect(await begin(url, 7 * DAY_MS + HOUR_MS)).toBe(errorPath("document_unreachable"));

  site.answer(url, aDocument(url));
  expect(await begin(url, 8 * DAY_MS)).toMatch(SIGN_IN);
});

test("a known document that is wrong now does not count as it was", async () => {
  const url = await aKnownApp();
  site.answer(url, aDocument(url, { client_id: "https://else.example.net/app.json" }));

  expect(await begin(url, 2 * DAY_MS)).toBe(errorPath("document_invalid"));
  expect(await begin(url, 2 * DAY_MS + 60_000)).toBe(errorPath("document_invalid"));

  site.answer(url, aDocument(url));
  expect(await begin(url, 2 * DAY_MS + 120_000)).toMatch(SIGN_IN);
});

describe("a document that is not the app's makes no app", () => {
  test.each<[what: string, changes: object]>([
    ["another client ID", { client_id: `https://${SITE}/other.json` }],
    ["the client ID in other letters", { client_id: `https://${SITE.toUpperCase()}/app.json` }],
    ["no client ID", { client_id: undefined }],
    ["no name", { client_name: undefined }],
    ["an invisible character in the name", { client_name: "Note\u200bbook" }],
    ["a secret", { client_secret: "s" }],
    ["a secret as its way", { token_endpoint_auth_method: "client_secret_post" }],
    ["a key as its way", { token_endpoint_auth_method: "private_key_jwt" }],
    ["no redirect URI", { redirect_uris: undefined }],
    ["a redirect URI elsewhere", { redirect_uris: ["https://evil.example.net/callback"] }],
    ["a host below its own", { redirect_uris: [`https://x.${SITE}/callback`] }],
    ["another port of its own host", { redirect_uris: [`https://${SITE}:8443/callback`] }],
    ["one elsewhere among its own", { redirect_uris: [CALLBACK, "https://evil.example.net/"] }],
    ["http at its own host", { redirect_uris: [`http://${SITE}/callback`] }],
    ["a scheme", { redirect_uris: ["com.example.notebook:/callback"] }],
    ["a script", { redirect_uris: ["javascript:alert(1)"] }],
    ["six redirect URIs", { redirect_uris: [1, 2, 3, 4, 5, 6].map((n) => `${CALLBACK}/${n}`) }],
    ["no grant that there is", { grant_types: ["client_credentials"] }],
  ])("%s", async (_what, changes) => {
    const url = site.newUrl();
    site.answer(url, aDocument(url, changes));

    expect(await begin(url)).toBe(errorPath("document_invalid"));
    expect(await rowOf(url)).toBeNull();
  });

  test("a document for many sites may name scopes and grants that there are not here", async () => {
    const grants = ["authorization_code", "refresh_token", "urn:example:other"];
    const url = await aKnownApp({ grant_types: grants, scope: "openid email mcp:tools" });
    expect(await rowOf(url)).toMatchObject({
      grant_types: '["authorization_code","refresh_token"]',
      scopes: '["openid","email"]',
    });
  });
});

describe("a site that answers otherwise makes no app", () => {
  test("a redirect is not followed", async () => {
    const [url, target] = [site.newUrl(), site.newUrl()];
    site.answer(target, aDocument(url));
    for (const status of [301, 302, 303, 307, 308]) {
      site.answer(url, (_request, response) =>
        response.writeHead(status, { location: target }).end(),
      );
      expect(await begin(url)).toBe(errorPath("document_unreachable"));
    }
    expect(site.timesAsked(target)).toBe(0);
  });

  test("a site that answers too slowly is left after five seconds", async () => {
    const [never, slowly] = [site.newUrl(), site.newUrl()];
    site.answer(never, () => {});
    // The head comes at once, the rest never does.
    site.answer(slowly, (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
    });
    expect(await Promise.all([begin(never), begin(slowly)])).toEqual([
      errorPath("document_unreachable"),
      errorPath("document_unreachable"),
    ]);
  }, 30_000);

  test("a huge document is not read to its end", async () => {
    const [announced, chunked] = [site.newUrl(), site.newUrl()];
    site.answer(announced, aDocument(announced, { more: "x".repeat(5_200) }));
    site.answer(chunked, (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      // It never ends: to wait for the rest would be to find the site unreachable.
      response.write(" ".repeat(8_192));
    });
    expect(await begin(announced)).toBe(errorPath("document_invalid"));
    expect(await begin(chunked)).toBe(errorPath("document_invalid"));
  });

  test.each<[what: string, status: number, type: string, body: string]>([
    ["not found", 404, "application/json", "{}"],
    ["an error", 500, "application/json", "{}"],
    ["no content", 204, "application/json", ""],
    ["a part", 206, "application/json", "{}"],
  ])("%s", async (_what, status, type, body) => {
    const url = site.newUrl();
    site.answer(url, (_request, response) =>
      response.writeHead(status, { "content-type": type }).end(body),
    );
    expect(await begin(url)).toBe(errorPath("document_unreachable"));
  });

  test.each(["", "{", "null", "[]", '"x"', "<html>"])("the body %j", async (body) => {
    const url = site.newUrl();
    site.answer(url, (_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(body),
    );
    expect(await begin(url)).toBe(errorPath("document_invalid"));
  });

  test("a page that is no JSON by its type", async () => {
    const url = site.newUrl();
    site.answer(url, (_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end(JSON.stringify(aDocument(url))),
    );
    expect(await begin(url)).toBe(errorPath("document_invalid"));
  });
});

test.each([
  `https://${SITE}`,
  `https://${SITE}/`,
  `https://${SITE}/app.json#x`,
  `https://${SITE}/app.json?x=1`,
  `https://${SITE}/x/../app.json`,
  `https://${SITE}:443/app.json`,
  `https://${SITE}:8443/app.json`,
  `https://${SITE}./app.json`,
  `https://${SITE.toUpperCase()}/app.json`,
  `https://user@${SITE}/app.json`,
  `https://user:pass@${SITE}/app.json`,
  `http://${SITE}/app.json`,
  "https://localhost/app.json",
  "https://intranet/app.json",
  "https://printer.local/app.json",
  "https://10.0.0.1/app.json",
  "https://169.254.169.254/latest",
  "https://2130706433/app.json",
  "https://0x7f000001/app.json",
  "https://[::1]/app.json",
  "https://[::ffff:10.0.0.1]/app.json",
  "https://10.0.0.1.nip.io/app.json",
  "https://metadata.google.internal/app.json",
  `https://${SITE}/${"x".repeat(500)}`,
  "https://",
  "https:notebook",
  "http://localhost/app.json",
  "http://127.0.0.1/app.json",
  "https://docs.gatehouse.example.org/app.json",
  `${DEPLOYED}/app.json`,
])("a deployed site asks nothing at %s", async (url) => {
  const before = site.asked.length;

  const answer = await newBrowser(deployed).get(askPath(url));

  expect(answer.headers.get("location")).toBe(errorPath("invalid_client"));
  // A request to another machine would fail at the end of this file.
  expect(site.asked.length).toBe(before);
});

test("a deployed site asks another one", async () => {
  const url = site.newUrl();
  site.answer(url, aDocument(url));
  const answer = await newBrowser(deployed).get(askPath(url));
  expect(answer.headers.get("location")).toMatch(SIGN_IN);
});

test("a local site does not ask itself for a document", async () => {
  expect(await begin(`${gatehouse.origin}/app.json`)).toBe(errorPath("invalid_client"));
});

test("two who begin at once make one app with one event", async () => {
  const url = site.newUrl();
  site.answer(url, aDocument(url));

  const led = await Promise.all(Array.from({ length: 10 }, () => begin(url)));

  for (const path of led) expect(path).toMatch(SIGN_IN);
  expect(await auditOf(gatehouse, (await rowOf(url))?.id ?? "")).toHaveLength(1);
});

test("an app that a manager switched off is not read again, and stays off", async () => {
  const url = await aKnownApp();
  await run("UPDATE oauth_client SET disabled = 1 WHERE client_id = ?", url);

  expect(await begin(url, 2 * DAY_MS)).toBe(errorPath("client_disabled"));
  expect(site.timesAsked(url)).toBe(1);
  await gatehouse.runHourly(new Date(Date.now() + 2 * DAY_MS));
  expect(await rowOf(url)).toMatchObject({ disabled: 1 });
});

test("without room there is no app, and those that are known go on", async () => {
  const known = await aKnownApp();
  await manyApps(gatehouse, MAX_REGISTERED_APPS);
  await run(
    `INSERT INTO oauth_registration (client_id, way, created_at)
     SELECT client_id, 'call', created_at FROM oauth_client
     WHERE client_id NOT IN (SELECT client_id FROM oauth_registration)`,
  );
  const url = site.newUrl();
  site.answer(url, aDocument(url));

  expect(await begin(url)).toBe(errorPath("no_room"));
  expect(await rowOf(url)).toBeNull();
  expect(await begin(known, 2 * DAY_MS)).toMatch(SIGN_IN);
  await run(
    "DELETE FROM oauth_client WHERE client_id IN (SELECT client_id FROM oauth_registration WHERE way = 'call')",
  );
});

test("an IP address makes the product ask twenty times an hour; others and known apps go on", async () => {
  const known = await aKnownApp();
  await run("DELETE FROM rate_limit");
  const stranger = newBrowser(gatehouse);
  const led = async (url: string, browser = stranger) =>
    (await browser.get(askPath(url))).headers.get("location");
  const { max } = REGISTRATION_LIMITS.documents;
  for (let count = 0; count < max; count++) {
    expect(await led(site.newUrl())).toBe(errorPath("document_unreachable"));
  }
  const url = site.newUrl();
  site.answer(url, aDocument(url));

  expect(await led(url)).toBe(errorPath("too_many_requests"));
  expect(site.timesAsked(url)).toBe(0);
  expect(await led(known)).toMatch(SIGN_IN);
  expect(await led(url, newBrowser(gatehouse))).toMatch(SIGN_IN);
});

test("a host is asked sixty times an hour; its known apps go on", async () => {
  const known = await aKnownApp();
  await run("DELETE FROM rate_limit");
  const { max } = REGISTRATION_LIMITS.documentsOfHost;
  for (let count = 0; count < max; count++) {
    expect(await begin(site.newUrl())).toBe(errorPath("document_unreachable"));
  }
  const url = site.newUrl();
  site.answer(url, aDocument(url));

  expect(await begin(url)).toBe(errorPath("too_many_requests"));
  expect(await begin(known, 2 * DAY_MS)).toMatch(SIGN_IN);
  expect(site.timesAsked(url)).toBe(0);
  await run("DELETE FROM rate_limit");
});

test.each(LANGUAGES)("the page says in %s why an app cannot go on", async (language) => {
  const say = translationsIn(language);
  const browser = newBrowser(gatehouse, { language });
  for (const code of ["document_unreachable", "document_invalid", "no_room"]) {
    const page = readPage(await (await browser.get(errorPath(code))).text());
    expect(page.text()).toContain(say(`connected-apps:error.${code}`));
  }
});
