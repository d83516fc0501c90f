import * as client from "openid-client";
import { afterAll, expect, test } from "vitest";
import { faultsUpTo } from "../../../../tests/support/faults.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { allow, aParty, ask, discover, exchange, open } from "./relying-party.ts";

// The database fails at each of its calls. An app that sends its call again ends well, or is told
// that its user must sign in again; nobody gets more than they asked for.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
gatehouse.tolerateErrors();

const { user, browser } = await aSignedInUser(gatehouse);
const app = await aParty(gatehouse, { isFirstParty: true });
const config = await discover(gatehouse, app);

/** Sends the calls of an app to a database that fails at one of its calls. */
async function failing(fault: string) {
  const weak = await discover(gatehouse, app);
  weak[client.customFetch] = (url, init) =>
    fetch(url, {
      ...init,
      headers: { ...init.headers, "x-d1-fault": fault, connection: "close" },
    } as RequestInit);
  return weak;
}

/** What an app is told: nothing wrong, or an error of the specification. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "ok";
  } catch (error) {
    if (error instanceof client.ResponseBodyError) return error.error;
    if (error instanceof client.ClientError && error.cause instanceof Response) {
      const { error: told } = (await error.cause.json()) as { error: string };
      return told;
    }
    throw error;
  }
}

test.each(faultsUpTo(8))("a sign-in to an app: %s", async (fault) => {
  const asking = await ask(config, app);
  const path = asking.url.pathname + asking.url.search;
  const answer = await browser.get(path, { headers: { "x-d1-fault": fault } });
  expect([302, 503]).toContain(answer.status);
  await answer.arrayBuffer();

  const { away } = await open(gatehouse, browser, asking);

  expect((await exchange(config, away ?? asking.url, asking)).claims()?.sub).toBe(user.id);
});

test.each(faultsUpTo(13))("a code: %s", async (fault) => {
  const asking = await ask(config, app);
  const away = await allow(gatehouse, browser, asking);

  const first = await outcomeOf(exchange(await failing(fault), away, asking));

  expect(["ok", "temporarily_unavailable", "server_error", "invalid_grant"]).toContain(first);
  if (first === "ok") return;
  expect(["ok", "invalid_grant"]).toContain(await outcomeOf(exchange(config, away, asking)));
  const again = await ask(config, app);
  await exchange(config, await allow(gatehouse, browser, again), again);
});

test.each(faultsUpTo(13))("a refresh: %s", async (fault) => {
  const asking = await ask(config, app);
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);
  const token = String(tokens.refresh_token);

  const first = await outcomeOf(client.refreshTokenGrant(await failing(fault), token));

  // Nothing that ends the app's access: it may send the call again.
  expect(["ok", "temporarily_unavailable"]).toContain(first);
  const second = await outcomeOf(client.refreshTokenGrant(config, token));
  expect(["ok", "temporarily_unavailable"]).toContain(second);
  if (second === "ok") return;
  // The first call may still be at work for some seconds, which the database is told are over.
  await gatehouse.d1
    .prepare(
      "UPDATE oauth_refresh_token SET rotated_at = rotated_at - 20000 WHERE revoked IS NOT NULL",
    )
    .run();
  const next = await client.refreshTokenGrant(config, token);
  await client.fetchUserInfo(config, next.access_token, user.id);
  await client.refreshTokenGrant(config, String(next.refresh_token));
});

test("a silent database ends no call without an answer", async () => {
  const asking = await ask(config, app);
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);
  const silent = await failing("1 silent");

  expect(await outcomeOf(client.refreshTokenGrant(silent, String(tokens.refresh_token)))).toBe(
    "temporarily_unavailable",
  );
  const page = await browser.get(asking.url.pathname + asking.url.search, {
    headers: { "x-d1-fault": "1 silent" },
  });
  expect(page.status).toBe(503);
});
