import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import * as client from "openid-client";
import { afterAll, describe, expect, test } from "vitest";
import { type Browser, locationOf, newBrowser } from "../../../../tests/support/client.ts";
import { impersonations } from "../../../../tests/support/impersonation.ts";
import { aMember, anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { DEVICE_GRANT } from "../device-code.ts";
import { APP_CALL_LIMITS, DEVICE_CODE_LIMITS } from "../limits.ts";
import { PROVIDER } from "../provider-paths.ts";
import { heldOf } from "./apps.ts";
import { type App, aParty, discover } from "./relying-party.ts";

// Devices sign people in by a code: with `openid-client`, and with the example. Source: RFC 8628.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const DEVICE = "/app/device";
const UNKNOWN =
  "This code isn't valid any more, or never was. Check it, or get a new one on the device.";
const SCOPES = "openid profile email organization offline_access";

const cli = await aParty(gatehouse, { isPublic: true, name: "Corner Shop CLI" });

type Asked = { device_code: string; user_code: string; verification_uri_complete: string };
type Answer = { status: number; error: string | undefined; access_token?: string };

/** Posts a form of an app from an address of its own. */
async function post(path: string, fields: Record<string, string>, headers = {}) {
  const answer = await newBrowser(gatehouse).submit(path, fields, { headers });
  return { status: answer.status, ...((await answer.json()) as object) };
}

async function begin({ clientId }: Pick<App, "clientId"> = cli, scope = SCOPES): Promise<Asked> {
  return (await post(PROVIDER.device, { client_id: clientId, scope })) as unknown as Asked;
}

/** Asks for tokens as a device does that has waited long enough. */
async function poll(asked: Asked, { clientId }: Pick<App, "clientId"> = cli): Promise<Answer> {
  await gatehouse.d1.prepare("UPDATE oauth_device_code SET polled_at = NULL").run();
  return pollAtOnce(asked, clientId);
}

async function pollAtOnce(
  { device_code }: Pick<Asked, "device_code">,
  client_id = cli.clientId,
): Promise<Answer> {
  const fields = { grant_type: DEVICE_GRANT, client_id, device_code };
  return (await post(PROVIDER.token, fields)) as Answer;
}

function answer(
  browser: Browser,
  { user_code: userCode }: Pick<Asked, "user_code">,
  intent: "look" | "allow" | "refuse",
  fields = {},
) {
  return browser.submit(DEVICE, { intent, userCode, ...fields });
}

async function pageOf(response: Response | Promise<Response>) {
  return readPage(await (await response).text());
}

/** Lets all codes expire. */
async function expire(): Promise<void> {
  await gatehouse.d1.prepare("UPDATE oauth_device_code SET expires_at = 1").run();
}

test("a device learns who its user is", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { name: "Zawadi Achieng" });
  const config = await discover(gatehouse, cli);

  const asked = await client.initiateDeviceAuthorization(config, { scope: SCOPES });
  expect(asked).toMatchObject({
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: `${gatehouse.origin}/device`,
    verification_uri_complete: `${gatehouse.origin}/device?code=${asked.user_code}`,
    expires_in: 600,
    interval: 5,
  });
  const response = await answer(browser, asked, "allow");
  expect(locationOf(response)).toBe(`${DEVICE}?done=allowed`);
  const tokens = await client.pollDeviceAuthorizationGrant(config, asked);

  expect(tokens.claims()).toMatchObject({ sub: user.id, aud: cli.clientId, email: user.email });
  expect(tokens.claims()?.auth_time).toBeGreaterThan(Date.now() / 1_000 - 60);
  const told = await client.fetchUserInfo(config, tokens.access_token, user.id);
  expect(told).toMatchObject({ name: "Zawadi Achieng" });
  const again = await client.refreshTokenGrant(config, String(tokens.refresh_token));
  await client.fetchUserInfo(config, again.access_token, user.id);
  expect(await heldOf(gatehouse, user)).toMatchObject({ consents: 1, refreshTokens: 2 });
  const events = await gatehouse.d1
    .prepare("SELECT details FROM audit_event WHERE action = 'app.connected' AND target_id = ?")
    .bind(user.id)
    .all();
  expect(events.results).toHaveLength(1);
});

test("the page asks by the code, in any spelling, and says who asks from where", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const asked = await begin();
  await gatehouse.d1
    .prepare("UPDATE oauth_device_code SET place = 'Nairobi, KE', user_agent = ?")
    .bind("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    .run();
  const path = new URL(asked.verification_uri_complete);

  const filled = await browser.follow(browser.get(path.pathname + path.search));
  const form = readPage(await filled.text());
  expect(form.field("userCode")?.value).toBe(asked.user_code);
  expect(form.text()).not.toContain("Corner Shop CLI");

  const typed = ` ${asked.user_code.replace("-", " ").toLowerCase()} `;
  const page = await pageOf(answer(browser, { user_code: typed }, "look"));

  expect(page.find("heading")?.textContent).toContain("Corner Shop CLI");
  for (const shown of [
    "Only go on if you started this yourself.",
    "Your name and your picture",
    "Firefox on Linux",
    "Nairobi",
  ]) {
    expect(page.text()).toContain(shown);
  }
  expect(await poll(asked)).toMatchObject({ status: 400, error: "authorization_pending" });
});

test("the device is told of the organization that the person chooses", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse);
  await aMember(gatehouse, { organization_id: organization.id, role: "admin", user_id: user.id });
  const config = await discover(gatehouse, cli);
  const asked = await begin();

  await answer(browser, asked, "allow", { organization: organization.id });
  const { access_token = "" } = await poll(asked);

  const told = await client.fetchUserInfo(config, access_token, user.id);
  expect(told.organization).toMatchObject({ id: organization.id, role: "admin" });
});

test("a device that asks too often must wait longer, and then gets its tokens", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const asked = await begin();

  expect(await pollAtOnce(asked)).toMatchObject({ status: 400, error: "authorization_pending" });
  expect(await pollAtOnce(asked)).toMatchObject({ status: 400, error: "slow_down" });
  await answer(browser, asked, "allow");
  expect(await pollAtOnce(asked)).toMatchObject({ status: 400, error: "slow_down" });
  const waits = await gatehouse.d1
    .prepare("SELECT max(interval_ms) AS ms FROM oauth_device_code")
    .first<number>("ms");
  expect(waits).toBe(15_000);

  expect(await poll(asked)).toMatchObject({ status: 200 });
});

test("a refusal is told to the device, and leaves nothing", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const asked = await begin();

  expect(locationOf(await answer(browser, asked, "refuse"))).toBe(`${DEVICE}?done=refused`);

  expect(await poll(asked)).toMatchObject({ status: 400, error: "access_denied" });
  expect(await heldOf(gatehouse, user)).toMatchObject({ consents: 0, refreshTokens: 0 });
});

test("a code gives tokens once", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const asked = await begin();
  await answer(browser, asked, "allow");

  const answers = await Promise.all([pollAtOnce(asked), pollAtOnce(asked), pollAtOnce(asked)]);

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  expect(await poll(asked)).toMatchObject({ status: 400, error: "invalid_grant" });
  expect(await heldOf(gatehouse, user)).toMatchObject({ refreshTokens: 1 });
});

describe("one answer to a code that", () => {
  const { d1 } = gatehouse;
  const END: Record<string, (browser: Browser, asked: Asked, app: App) => Promise<unknown>> = {
    "was allowed": (browser, asked) => answer(browser, asked, "allow"),
    "was used": async (browser, asked, app) => {
      await answer(browser, asked, "allow");
      await poll(asked, app);
    },
    "was refused": (browser, asked) => answer(browser, asked, "refuse"),
    "has expired": () => expire(),
    "is of an app that was switched off": (_browser, _asked, { clientId }) =>
      d1.prepare("UPDATE oauth_client SET disabled = 1 WHERE client_id = ?").bind(clientId).run(),
  };
  test.each(Object.keys(END))("%s", async (name) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    const app = await aParty(gatehouse, { isPublic: true });
    const asked = await begin(app);
    await END[name]?.(browser, asked, app);
    const before = await heldOf(gatehouse, user);

    for (const intent of ["look", "allow", "refuse"] as const) {
      const response = await answer(browser, asked, intent);
      expect(response.status).toBe(400);
      expect((await pageOf(response)).field("userCode")?.error).toBe(UNKNOWN);
    }
    expect(await heldOf(gatehouse, user)).toEqual(before);
  });
});

test("an expired code is told to the device", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const asked = await begin();
  await answer(browser, asked, "allow");
  await expire();

  expect(await poll(asked)).toMatchObject({ status: 400, error: "expired_token" });
});

test("an app cannot use the code of another", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const other = await aParty(gatehouse, { isPublic: true });
  const asked = await begin();
  await answer(browser, asked, "allow");

  expect(await poll(asked, other)).toMatchObject({ status: 400, error: "invalid_grant" });
  expect(await poll(asked)).toMatchObject({ status: 200 });
});

test("an app with a secret, an unknown one and one that was switched off get no code", async () => {
  const server = await aParty(gatehouse);
  const off = await aParty(gatehouse, { isPublic: true, isDisabled: true });
  const Authorization = `Basic ${btoa(`${server.clientId}:${server.secret}`)}`;

  expect(await begin(server)).toMatchObject({ status: 401, error: "invalid_client" });
  expect(await post(PROVIDER.device, {}, { Authorization })).toMatchObject({
    status: 400,
    error: "unauthorized_client",
  });
  expect(await begin({ clientId: "nobody" })).toMatchObject({ error: "invalid_client" });
  expect(await begin(off)).toMatchObject({ status: 401, error: "invalid_client" });
  expect(await begin(cli, "openid admin")).toMatchObject({ status: 400, error: "invalid_scope" });
});

test("what was allowed ends with the session, a ban and the app before it is fetched", async () => {
  const { d1 } = gatehouse;
  const ends = [
    (userId: string) => d1.prepare("DELETE FROM session WHERE user_id = ?").bind(userId).run(),
    (userId: string) => d1.prepare("UPDATE user SET banned = 1 WHERE id = ?").bind(userId).run(),
  ];
  for (const end of ends) {
    const { user, browser } = await aSignedInUser(gatehouse);
    const asked = await begin();
    await answer(browser, asked, "allow");
    await end(user.id);

    expect(await poll(asked)).toMatchObject({ status: 400, error: "invalid_grant" });
    expect(await heldOf(gatehouse, user)).toMatchObject({ refreshTokens: 0, accessTokens: 0 });
  }
  const { browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse, { isPublic: true });
  const asked = await begin(app);
  await answer(browser, asked, "allow");
  await d1
    .prepare("UPDATE oauth_client SET disabled = 1 WHERE client_id = ?")
    .bind(app.clientId)
    .run();
  expect(await poll(asked, app)).toMatchObject({ status: 401, error: "invalid_client" });
});

test("after too many wrong codes, a user's right one is not looked at either", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const asked = await begin();
  for (let count = 0; count < DEVICE_CODE_LIMITS.wrongOfUser.max; count++) {
    // What cannot be a code is no guess.
    await answer(browser, { user_code: "AEIOU" }, "look");
    expect((await answer(browser, { user_code: "BCDF-GHJK" }, "look")).status).toBe(400);
  }

  expect((await answer(browser, asked, "look")).status).toBe(200);
  expect((await answer(browser, { user_code: "BCDF-GHJK" }, "look")).status).toBe(429);
  expect((await answer(browser, asked, "look")).status).toBe(429);
  expect((await answer(browser, asked, "allow")).status).toBe(429);
  const { browser: another } = await aSignedInUser(gatehouse);
  expect((await answer(another, asked, "look")).status).toBe(200);
});

test("an address gets so many codes a minute", async () => {
  const device = newBrowser(gatehouse);
  const ask = () => device.submit(PROVIDER.device, { client_id: cli.clientId });
  for (let count = 0; count < APP_CALL_LIMITS.device.max; count++) {
    expect((await ask()).status).toBe(200);
  }

  expect((await ask()).status).toBe(429);
});

test("a manager in the name of a user lets no device in", async () => {
  const { browser } = await impersonations(gatehouse).anImpersonation();
  const asked = await begin();

  expect(locationOf(await browser.get(DEVICE))).toBe("/app");
  expect(locationOf(await answer(browser, asked, "allow"))).toBe("/app");
  expect(await poll(asked)).toMatchObject({ error: "authorization_pending" });
});

test("the database holds neither code", async () => {
  const { device_code, user_code } = await begin();

  const rows = await gatehouse.d1.prepare("SELECT * FROM oauth_device_code").all();

  const stored = JSON.stringify(rows.results);
  expect(stored).not.toContain(device_code);
  expect(stored).not.toContain(user_code.replace("-", ""));
});

test("the example signs in", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { name: "Zawadi Achieng" });
  const example = resolve(import.meta.dirname, "../../../../examples/cli/sign-in.mjs");
  const run = spawn(process.execPath, [example, gatehouse.origin, cli.clientId], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: run.stdout })) {
    lines.push(line);
    const [, code] = /enter the code (\S+)$/.exec(line) ?? [];
    if (code) await answer(browser, { user_code: code }, "allow");
  }
  if (run.exitCode === null) await once(run, "exit");

  expect(run.exitCode).toBe(0);
  expect(lines.at(-1)).toBe(`Signed in as ${user.name} <${user.email}>`);
});
