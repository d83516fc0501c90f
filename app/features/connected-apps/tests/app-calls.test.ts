import { afterAll, describe, expect, test } from "vitest";
import { type Browser, locationOf } from "../../../../tests/support/client.ts";
import { aSignedInUser, type Person } from "../../../../tests/support/people.ts";
import { aProgram } from "../../../../tests/support/program.ts";
import { makeProofOld } from "../../../../tests/support/sessions.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aKey } from "../../api-keys/tests/api-keys.ts";
import { aRepository, newName } from "../../repositories/tests/repositories.ts";
import { DEVICE_GRANT } from "../device-code.ts";
import { API_LIMITS } from "../limits.ts";
import { PROVIDER } from "../provider-paths.ts";
import { APP_SCOPES } from "../scopes.ts";
import { allow, aParty, ask, discover, exchange, open } from "./relying-party.ts";

// Apps call the API for the people who have allowed it.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const CALLS = ["repository.read", "repository.create", "repository.delete", "audit.read"];
const APPROVALS = "/app/account/apps/approvals/";

const app = await aParty(gatehouse, { name: "Assistant", scopes: [...APP_SCOPES, ...CALLS] });
const config = await discover(gatehouse, app);

/** Signs a person in to the app, which may then do this for them. Returns the app's calls. */
async function anAppOf(
  browser: Browser,
  scope = `openid profile email ${CALLS.join(" ")}`,
  parameters: Record<string, string> = {},
) {
  const asking = await ask(config, app, { scope, prompt: "consent", ...parameters });
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);
  return { call: aProgram(gatehouse, tokens.access_token), tokens };
}

async function anAdminWithApp() {
  const { user, browser } = await aSignedInUser(gatehouse, { role: "admin" });
  return { user, browser, ...(await anAppOf(browser)) };
}

type Call = ReturnType<typeof aProgram>;

/** Deletes a repository as an app does: a screen would ask for a proof. */
function remove(call: Call, { id }: { id: string }, version = 1) {
  return call("DELETE", `/repositories/${id}`, { headers: { "if-match": `"${version}"` } });
}

/** Returns the page on which the user is to approve what an app has asked for. */
function approvalOf({ body }: Awaited<ReturnType<Call>>): string {
  const { approveAt } = body as unknown as { approveAt: string };
  expect(approveAt).toContain(gatehouse.origin + APPROVALS);
  return new URL(approveAt).pathname;
}

async function actionsOf({ id }: Pick<Person, "id">): Promise<unknown[]> {
  const { results } = await gatehouse.d1
    .prepare(
      "SELECT action FROM audit_event WHERE actor_id = ? AND action LIKE 'app.a%' ORDER BY created_at",
    )
    .bind(id)
    .all();
  return results.map(({ action }) => action);
}

test("an app reads and changes what its user may, once for each Idempotency-Key", async () => {
  const { user, call } = await anAdminWithApp();
  const body = { name: newName(), link: "https://git.example/acme/app" };
  const headers = { "idempotency-key": "one" };

  const made = await call("POST", "/repositories", { body, headers });
  const again = await call("POST", "/repositories", { body, headers });

  expect(made.status).toBe(201);
  expect(again).toMatchObject({ status: 201, body: { id: made.body.id } });
  expect((await call("GET", `/repositories/${made.body.id}`)).body).toMatchObject(body);
  expect((await call("GET", "/me")).body).toEqual({
    id: user.id,
    name: user.name,
    email: user.email,
    organization: null,
    permissions: [...CALLS].sort(),
  });
});

test("another user's call with the same Idempotency-Key is another call", async () => {
  const calls = [(await anAdminWithApp()).call, (await anAdminWithApp()).call];
  const headers = { "idempotency-key": "shared" };

  const made = await Promise.all(
    calls.map((call) =>
      call("POST", "/repositories", {
        body: { name: newName(), link: "https://git.example/acme/app" },
        headers,
      }),
    ),
  );

  expect(new Set(made.map(({ body }) => body.id)).size).toBe(2);
});

test("an app does no more than its user may, and no more than it was allowed", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const { call } = await anAppOf(browser);
  const body = { name: newName(), link: "https://git.example/acme/app" };

  expect((await call("GET", "/repositories")).status).toBe(200);
  const created = await call("POST", "/repositories", { body });
  expect(created).toMatchObject({ status: 403, body: { code: "APP_LACKS_PERMISSION" } });
  expect(created.headers.get("www-authenticate")).toBe(
    'Bearer error="insufficient_scope", scope="repository.create"',
  );

  const admin = await aSignedInUser(gatehouse, { role: "admin" });
  const reader = await anAppOf(admin.browser, "openid repository.read");
  expect((await reader.call("POST", "/repositories", { body })).status).toBe(403);
  expect((await reader.call("GET", "/events")).status).toBe(403);
  expect((await reader.call("GET", "/me")).body).toMatchObject({
    name: null,
    email: null,
    permissions: ["repository.read"],
  });
});

test("this site as `resource` is the API here, and another server's token is none for it", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  for (const resource of [gatehouse.origin, `${gatehouse.origin}/api/v1`]) {
    const { call } = await anAppOf(browser, "openid repository.read", { resource });
    expect((await call("GET", "/repositories")).status).toBe(200);
  }

  const api = "https://ledger.example.com/";
  const other = await aParty(gatehouse, { scopes: [...APP_SCOPES, ...CALLS], apis: [api] });
  const otherConfig = await discover(gatehouse, other);
  const scope = "openid repository.read";
  const asking = await ask(otherConfig, other, { scope, resource: api });
  const away = await allow(gatehouse, browser, asking);
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code: away.searchParams.get("code") ?? "",
    redirect_uri: other.redirectUri,
    code_verifier: asking.verifier,
    client_id: other.clientId,
    client_secret: other.secret ?? "",
    resource: api,
  });
  const answer = await fetch(gatehouse.origin + PROVIDER.token, { method: "POST", body: form });
  const { access_token: signed } = (await answer.json()) as { access_token: string };
  expect(signed.split(".")).toHaveLength(3);
  expect(await aProgram(gatehouse, signed)("GET", "/repositories")).toMatchObject({
    status: 401,
    body: { code: "INVALID_API_KEY" },
  });
});

test("who allows an app to call has just proved who they are, as for a key", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await makeProofOld(gatehouse, user);
  const asking = await ask(config, app, { scope: "openid repository.read" });

  const { path } = await open(gatehouse, browser, asking);
  expect(path).toMatch(/^\/app\/account\/confirm\?next=%2Fapp%2Fconnect/);

  const connect = new URLSearchParams(path.split("?")[1]).get("next") ?? "";
  const posted = await browser.submit(connect, { intent: "allow" });
  expect(locationOf(posted)).toContain("/app/account/confirm?next=");
  const { path: unasked } = await open(gatehouse, browser, await ask(config, app));
  expect(unasked).toContain("/app/connect?");
});

test("an app that asks for more than it may ask for gets the rest", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const reader = await aParty(gatehouse, { scopes: ["openid", "repository.read"] });
  const readerConfig = await discover(gatehouse, reader);
  const asking = await ask(readerConfig, reader, { scope: `openid ${CALLS.join(" ")}` });

  const tokens = await exchange(readerConfig, await allow(gatehouse, browser, asking), asking);

  expect(tokens.scope).toBe("openid repository.read");
  const none = await ask(readerConfig, reader, { scope: "repository.delete" });
  const { away } = await open(gatehouse, browser, none);
  expect(away?.searchParams.get("error")).toBe("invalid_scope");
});

test("an old session gives nobody a token for calls without a proof", async () => {
  const phone = await aParty(gatehouse, { isPublic: true, scopes: [...APP_SCOPES, ...CALLS] });
  const house = await aParty(gatehouse, {
    isFirstParty: true,
    scopes: [...APP_SCOPES, ...CALLS],
  });
  for (const taken of [phone, house]) {
    const { user, browser } = await aSignedInUser(gatehouse, { role: "admin" });
    const itsConfig = await discover(gatehouse, taken);
    const scope = "openid repository.read";
    await allow(gatehouse, browser, await ask(itsConfig, taken, { scope }));
    await makeProofOld(gatehouse, user);

    const silent = await ask(itsConfig, taken, { scope, prompt: "none" });
    const { away } = await open(gatehouse, browser, silent);
    expect(away?.searchParams.get("error")).toBe("login_required");
    const { path } = await open(gatehouse, browser, await ask(itsConfig, taken, { scope }));
    expect(path).toContain("/app/account/confirm?next=");
    const identity = await open(gatehouse, browser, await ask(itsConfig, taken));
    expect(identity.path + identity.away).toMatch(/code=|\/app\/connect/);
  }
});

test("what is taken from an app, its tokens no longer have", async () => {
  const lent = await aParty(gatehouse, { scopes: ["openid", "repository.read"] });
  const itsConfig = await discover(gatehouse, lent);
  const { user, browser } = await aSignedInUser(gatehouse);
  const asking = await ask(itsConfig, lent, { scope: "openid repository.read" });
  const tokens = await exchange(itsConfig, await allow(gatehouse, browser, asking), asking);
  const call = aProgram(gatehouse, tokens.access_token);
  expect((await call("GET", "/repositories")).status).toBe(200);

  const take = gatehouse.d1.prepare("UPDATE oauth_client SET scopes = ? WHERE client_id = ?");
  await take.bind('["openid"]', lent.clientId).run();
  expect((await call("GET", "/repositories")).status).toBe(403);
  await change("UPDATE session SET expires_at = 1 WHERE user_id = ?", user.id);
  expect((await call("GET", "/me")).status).toBe(401);
});

test("the page says what the app may do, in the words of the permissions", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const asking = await ask(config, app, { scope: "openid repository.read repository.delete" });

  const { page } = await open(gatehouse, browser, asking);

  const text = (await page?.text()) ?? "";
  expect(text).toContain("View repositories");
  expect(text).toContain("Delete repositories");
  expect(text).not.toContain("Create repositories");
});

test("a command line that signed in by a code calls the API", async () => {
  const cli = await aParty(gatehouse, { isPublic: true, scopes: [...APP_SCOPES, ...CALLS] });
  const { user, browser } = await aSignedInUser(gatehouse);
  const post = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: cli.clientId, ...fields });
    const answer = await fetch(gatehouse.origin + path, { method: "POST", body });
    return (await answer.json()) as Record<string, string>;
  };
  const asked = await post(PROVIDER.device, { scope: "openid repository.read" });
  const typed = { userCode: asked.user_code ?? "" };

  await makeProofOld(gatehouse, user);
  const old = await browser.submit("/app/device", { intent: "allow", ...typed });
  expect(locationOf(old)).toContain("/app/account/confirm?next=%2Fapp%2Fdevice%3Fcode%3D");
  await gatehouse.d1
    .prepare("UPDATE session SET authenticated_at = ? WHERE user_id = ?")
    .bind(Date.now(), user.id)
    .run();
  const allowed = await browser.submit("/app/device", { intent: "allow", ...typed });
  expect(locationOf(allowed)).toContain("done=allowed");
  const { access_token: token } = await post(PROVIDER.token, {
    grant_type: DEVICE_GRANT,
    device_code: asked.device_code ?? "",
  });

  const call = aProgram(gatehouse, token);
  expect((await call("GET", "/me")).body).toMatchObject({ id: user.id });
  expect((await call("GET", "/repositories")).status).toBe(200);
});

describe("a call that would ask for a proof on a screen", () => {
  test("waits for the user, who approves it once", async () => {
    const { user, browser, call } = await anAdminWithApp();
    const repository = await aRepository(gatehouse);

    const asked = await remove(call, repository);
    expect(asked).toMatchObject({ status: 403, body: { code: "APPROVAL_NEEDED" } });
    const page = approvalOf(asked);
    expect(approvalOf(await remove(call, repository))).toBe(page);
    expect(await actionsOf(user)).toEqual(["app.approval_asked"]);
    for (const path of ["/app", "/app/account/apps", page]) {
      expect(await (await browser.get(path)).text()).toContain(repository.name);
    }
    const dashboard = await (await browser.get("/manager/dashboard")).text();
    expect(dashboard).toContain("1 call of an app waits for your approval");

    await browser.submit(page, { intent: "approve-call" });
    expect((await remove(call, repository)).status).toBe(204);
    expect((await call("GET", `/repositories/${repository.id}`)).status).toBe(404);
    expect(await actionsOf(user)).toEqual(["app.approval_asked", "app.approval_given"]);
    expect(approvalOf(await remove(call, repository))).not.toBe(page);
  });

  test("is made by one of many that send it at once", async () => {
    const { browser, call } = await anAdminWithApp();
    const repository = await aRepository(gatehouse);
    const asked = await Promise.all(Array.from({ length: 8 }, () => remove(call, repository)));
    const pages = new Set(asked.map(approvalOf));
    expect(pages.size).toBe(1);
    await browser.submit([...pages][0] ?? "", { intent: "approve-call" });

    const made = await Promise.all(Array.from({ length: 8 }, () => remove(call, repository)));

    expect(made.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(made.filter(({ status }) => status === 403)).toHaveLength(7);
  });

  test("is approved for this call alone, within ten minutes", async () => {
    const { browser, call } = await anAdminWithApp();
    const [one, other] = [await aRepository(gatehouse), await aRepository(gatehouse)];
    const page = approvalOf(await remove(call, one));
    await browser.submit(page, { intent: "approve-call" });

    for (const sent of [remove(call, other), remove(call, one, 2)]) {
      expect((await sent).body.code).toBe("APPROVAL_NEEDED");
    }
    await gatehouse.d1
      .prepare("UPDATE oauth_approval SET expires_at = ? WHERE id = ?")
      .bind(Date.now() - 1, page.slice(APPROVALS.length))
      .run();
    expect((await remove(call, one)).body.code).toBe("APPROVAL_NEEDED");
    expect(locationOf(await browser.get(page))).toBe("/app/account/apps");
  });

  test("is refused for as long as it could have been approved", async () => {
    const { user, browser, call } = await anAdminWithApp();
    const repository = await aRepository(gatehouse);
    const page = approvalOf(await remove(call, repository));

    await browser.submit(page, { intent: "refuse-call" });

    expect((await remove(call, repository)).body.code).toBe("APPROVAL_REFUSED");
    expect(await actionsOf(user)).toEqual(["app.approval_asked", "app.approval_refused"]);
    await browser.submit(page, { intent: "approve-call" });
    expect((await remove(call, repository)).body.code).toBe("APPROVAL_REFUSED");
  });

  test("is approved by its user, who has just proved who they are", async () => {
    const { user, browser, call } = await anAdminWithApp();
    const repository = await aRepository(gatehouse);
    const page = approvalOf(await remove(call, repository));
    const stranger = await aSignedInUser(gatehouse, { role: "admin" });

    expect(locationOf(await stranger.browser.get(page))).toBe("/app/account/apps");
    await stranger.browser.submit(page, { intent: "approve-call" });
    await makeProofOld(gatehouse, user);
    const old = await browser.submit(page, { intent: "approve-call" });
    expect(locationOf(old)).toContain("/app/account/confirm?next=");
    expect((await remove(call, repository)).body.code).toBe("APPROVAL_NEEDED");
  });

  test("is not asked for what the user may not do, nor of a key", async () => {
    const repository = await aRepository(gatehouse);
    const { browser } = await aSignedInUser(gatehouse);
    const { call } = await anAppOf(browser);
    expect((await remove(call, repository)).body.code).toBe("APP_LACKS_PERMISSION");

    const admin = await aSignedInUser(gatehouse, { role: "admin" });
    const { secret } = await aKey(gatehouse, admin.user);
    expect((await remove(aProgram(gatehouse, secret), repository)).status).toBe(204);
  });

  test("ends with the app's access", async () => {
    const { browser, call } = await anAdminWithApp();
    const repository = await aRepository(gatehouse);
    await browser.submit(approvalOf(await remove(call, repository)), { intent: "approve-call" });

    await browser.submit("/app/account/apps", { intent: "end-app", app: app.clientId });

    const again = await anAppOf(browser);
    expect((await remove(again.call, repository)).body.code).toBe("APPROVAL_NEEDED");
  });

  test("is refused when it is longer than what the user is shown", async () => {
    const { call } = await anAdminWithApp();

    const asked = await remove(call, { id: "x".repeat(600) });

    expect(asked).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
  });

  test("is asked for so often in an hour", async () => {
    const { call } = await anAdminWithApp();
    for (let count = 0; count < API_LIMITS.approvals.max; count++) {
      expect((await remove(call, { id: `nothing-${count}` })).status).toBe(403);
    }

    expect(await remove(call, { id: "one-more" })).toMatchObject({
      status: 429,
      body: { code: "TOO_MANY_REQUESTS" },
    });
  });
});

test.each<[what: string, end: (user: Person) => Promise<unknown>]>([
  ["a ban", ({ id }) => change("UPDATE user SET banned = 1 WHERE id = ?", id)],
  ["the grace period", ({ id }) => change("UPDATE user SET deletion_due_at = 1 WHERE id = ?", id)],
  ["the end of the session", ({ id }) => change("DELETE FROM session WHERE user_id = ?", id)],
  [
    "the end of its access",
    ({ id }) => change("DELETE FROM oauth_access_token WHERE user_id = ?", id),
  ],
])("%s ends an app's calls at once", async (_, end) => {
  const { user, call } = await anAdminWithApp();
  expect((await call("GET", "/me")).status).toBe(200);

  await end(user);

  const refused = await call("GET", "/me");
  expect(refused).toMatchObject({ status: 401, body: { code: "INVALID_APP_TOKEN" } });
  expect(refused.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
});

test("an app of a manager who must use a passkey acts as a user", async () => {
  const { call } = await anAdminWithApp();
  const create = async () => {
    const body = { name: newName(), link: "https://git.example/acme/app" };
    return (await call("POST", "/repositories", { body })).status;
  };
  expect(await create()).toBe(201);

  await change("UPDATE site_setting SET manager_passkeys_since = ?", 1);
  expect(await create()).toBe(403);
  expect((await call("GET", "/repositories")).status).toBe(200);
  await change("UPDATE site_setting SET manager_passkeys_since = NULL WHERE ? = 0", 0);
});

test("what apps may ask for is told, and the consent is shown with it", async () => {
  const { browser } = await anAdminWithApp();
  const { scopes_supported: scopes = [] } = config.serverMetadata();
  expect(scopes).toEqual(expect.arrayContaining(CALLS));
  expect(scopes).not.toContain("apps.app");
  const own = await (await browser.get("/app/account/apps")).text();
  expect(own).toContain("Delete repositories");
});

function change(sql: string, value: string | number): Promise<unknown> {
  return gatehouse.d1.prepare(sql).bind(value).run();
}
