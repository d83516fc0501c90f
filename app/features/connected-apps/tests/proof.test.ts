import { randomUUID } from "node:crypto";
import { createRemoteJWKSet, jwtVerify } from "jose";
import * as client from "openid-client";
import { afterAll, expect, test } from "vitest";
import { confirmations, enterCode } from "../../../../tests/support/account-confirm.ts";
import {
  addPasskey,
  newAuthenticator,
  optionsFor,
  signInWithPasskey,
} from "../../../../tests/support/authenticator.ts";
import { type Browser, locationOf, newBrowser } from "../../../../tests/support/client.ts";
import { insertRows, statementsOn } from "../../../../tests/support/insert.ts";
import { startMicrosoft } from "../../../../tests/support/named-providers.ts";
import { aSignedInUser, aUser, aUserSignedInByCode } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { PROVIDER } from "../provider-paths.ts";
import { allow, aParty, ask, discover, exchange } from "./relying-party.ts";

// How the person proved who they are, as ID tokens tell it. Sources: RFC 8176, OpenID Connect EAP
// ACR Values 1.0.

const microsoft = await startMicrosoft();
const gatehouse = await startGatehouse({ vars: microsoft.vars, standIns: microsoft.standIns });
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await microsoft[Symbol.asyncDispose]();
});

const change = statementsOn(gatehouse);
const { askToConfirm } = confirmations(gatehouse);
const newKey = () => newAuthenticator({ origin: gatehouse.origin });

const CODE = { acr: "0", amr: ["otp"] };
const PASSKEY = { acr: "phr", amr: ["pop", "user", "mfa"] };
const FEDERATED = { acr: "0", amr: ["fed"] };
const UNKNOWN = { acr: "0", amr: undefined };

const app = await aParty(gatehouse, { isFirstParty: true });
const config = await discover(gatehouse, app);

/** Signs a person in to the app. */
async function signInTo(browser: Browser, parameters: Record<string, string> = {}) {
  const asking = await ask(config, app, parameters);
  return exchange(config, await allow(gatehouse, browser, asking), asking);
}

function proofIn(tokens: Pick<Awaited<ReturnType<typeof signInTo>>, "claims">) {
  const claims = tokens.claims();
  return { acr: claims?.acr, amr: claims?.amr };
}

async function aPasskeyHolder() {
  const { user, browser } = await aSignedInUser(gatehouse);
  const key = newKey();
  expect((await addPasskey(browser, key)).status).toBe(200);
  return { user, browser, key };
}

test("a sign-in by code is a one-time password, signed as the rest", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);

  const tokens = await signInTo(browser);

  expect(proofIn(tokens)).toEqual(CODE);
  const keys = createRemoteJWKSet(new URL(gatehouse.origin + PROVIDER.jwks));
  const { payload, protectedHeader } = await jwtVerify(String(tokens.id_token), keys, {
    issuer: gatehouse.origin,
    audience: app.clientId,
    algorithms: ["RS256"],
  });
  expect(protectedHeader).toEqual({ alg: "RS256", kid: expect.any(String) });
  expect(payload).toMatchObject({ sub: user.id, ...CODE, at_hash: expect.any(String) });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3_600);
});

test("a sign-in by passkey resists phishing", async () => {
  const { key } = await aPasskeyHolder();
  const browser = newBrowser(gatehouse);
  expect((await signInWithPasskey(browser, key)).status).toBe(200);

  expect(proofIn(await signInTo(browser))).toEqual(PASSKEY);
});

test("a sign-in at another provider claims nothing of how", async () => {
  const user = await aUser(gatehouse);
  const oid = randomUUID();
  await insertRows(gatehouse.d1, "account", [
    {
      id: randomUUID(),
      account_id: oid,
      provider_id: "microsoft",
      user_id: user.id,
      created_at: Date.now(),
      updated_at: Date.now(),
    },
  ]);
  microsoft.setVisitor(oid, user.email);
  const browser = newBrowser(gatehouse);
  const pressed = await browser.submit("/login", { intent: "social", provider: "microsoft" });
  const { pathname, search } = new URL(microsoft.visit(pressed.headers.get("location") ?? "").url);
  expect(locationOf(await browser.get(pathname + search))).toBe("/app");

  expect(proofIn(await signInTo(browser))).toEqual(FEDERATED);
});

test("the newest proof is told, and a refresh tells that of its sign-in", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);
  const byCode = await signInTo(browser);
  const key = newKey();
  expect((await addPasskey(browser, key)).status).toBe(200);
  expect(proofIn(await signInTo(browser))).toEqual(PASSKEY);
  await enterCode(browser, await askToConfirm(browser, user.email));
  expect(proofIn(await signInTo(browser))).toEqual(CODE);
  const { challenge } = await optionsFor(browser, "authenticate");
  const confirmed = await browser.api("/api/auth/passkey/confirm-session", {
    response: key.get(challenge),
  });
  expect(confirmed.status).toBe(200);
  const byPasskey = await signInTo(browser);
  expect(proofIn(byPasskey)).toEqual(PASSKEY);

  // The session has been proven anew since, and then ends.
  const again = await client.refreshTokenGrant(config, String(byCode.refresh_token));
  expect(proofIn(again)).toEqual(CODE);
  expect(again.claims()?.auth_time).toBe(byCode.claims()?.auth_time);
  await change("DELETE FROM session WHERE user_id = ?", user.id);
  const onceMore = await client.refreshTokenGrant(config, String(again.refresh_token));
  expect(proofIn(onceMore)).toEqual(CODE);
  expect(onceMore.claims()).not.toHaveProperty("sid");
  const last = await client.refreshTokenGrant(config, String(byPasskey.refresh_token));
  expect(proofIn(last)).toEqual(PASSKEY);
});

test("a proof that came between a code and its tokens is not told for the older one", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);
  for (const scope of ["openid", "openid offline_access"]) {
    const asking = await ask(config, app, { scope });
    const away = await allow(gatehouse, browser, asking);
    await change(
      "UPDATE session SET authenticated_at = ?, proved_by = 'passkey' WHERE user_id = ?",
      Date.now() + 5_000,
      user.id,
    );
    expect(proofIn(await exchange(config, away, asking))).toEqual(UNKNOWN);
    await change(
      "UPDATE session SET authenticated_at = NULL, proved_by = 'code' WHERE user_id = ?",
      user.id,
    );
    expect(proofIn(await signInTo(browser, { scope }))).toEqual(CODE);
  }
});

test("after its passkey was removed, a session tells of no proof", async () => {
  const { user, key } = await aPasskeyHolder();
  const browser = newBrowser(gatehouse);
  await signInWithPasskey(browser, key);
  const passkey = await gatehouse.d1
    .prepare("SELECT id FROM passkey WHERE user_id = ?")
    .bind(user.id)
    .first<string>("id");

  await browser.submit("/app/account", { intent: "remove-passkey", passkey: passkey ?? "" });

  expect(proofIn(await signInTo(browser))).toEqual(UNKNOWN);
});

test("a session of an earlier release tells of no proof", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  expect(proofIn(await signInTo(browser))).toEqual(UNKNOWN);
});

test("a device tells of the proof of the session in which it was allowed", async () => {
  const { browser } = await aUserSignedInByCode(gatehouse);
  const cli = await aParty(gatehouse, { isPublic: true });
  const ofCli = await discover(gatehouse, cli);
  const asked = await client.initiateDeviceAuthorization(ofCli, {
    scope: "openid offline_access",
  });
  await browser.submit("/app/device", { intent: "allow", userCode: asked.user_code });

  const tokens = await client.pollDeviceAuthorizationGrant(ofCli, asked);

  expect(proofIn(tokens)).toEqual(CODE);
});

test("an app may wish for a level; it gets what there is", async () => {
  const { browser } = await aUserSignedInByCode(gatehouse);

  expect(proofIn(await signInTo(browser, { acr_values: "phr urn:other" }))).toEqual(CODE);
  expect(config.serverMetadata()).toMatchObject({
    acr_values_supported: ["phr", "0"],
    claims_supported: expect.arrayContaining(["acr", "amr", "auth_time"]),
  });
});
