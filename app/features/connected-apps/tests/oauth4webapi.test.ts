import * as oauth from "oauth4webapi";
import { afterAll, expect, test } from "vitest";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { allow, aParty } from "./relying-party.ts";

// The calls of an app one by one, with a library that checks each answer by its specification.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const API = "https://ledger.example.com/";
// The product under test has no certificate.
const http = { [oauth.allowInsecureRequests]: true };

/** Signs a new user in to a new app, step by step. */
async function signIn(parameters: Record<string, string> = {}) {
  const { user, browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse, { apis: [API] });
  const found = await oauth.discoveryRequest(new URL(gatehouse.origin), http);
  const as = await oauth.processDiscoveryResponse(new URL(gatehouse.origin), found);
  const self: oauth.Client = { client_id: app.clientId };
  const secret = oauth.ClientSecretBasic(app.secret ?? "");
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const url = new URL(as.authorization_endpoint ?? "");
  const asked = {
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    response_type: "code",
    scope: "openid profile email offline_access",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
    ...parameters,
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  const away = await allow(gatehouse, browser, { url, verifier, state, nonce });
  const code = oauth.validateAuthResponse(as, self, away, state);
  const answer = await oauth.authorizationCodeGrantRequest(
    as,
    self,
    secret,
    code,
    app.redirectUri,
    verifier,
    http,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, self, answer, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(as, answer, http);
  return { user, as, self, secret, tokens };
}

test("each answer of a sign-in is as its specification says", async () => {
  const { user, as, self, secret, tokens } = await signIn();
  expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: user.id });

  const told = await oauth.userInfoRequest(as, self, tokens.access_token, http);
  expect(await oauth.processUserInfoResponse(as, self, user.id, told)).toMatchObject({
    email: user.email,
  });
  const refreshed = await oauth.processRefreshTokenResponse(
    as,
    self,
    await oauth.refreshTokenGrantRequest(as, self, secret, tokens.refresh_token ?? "", http),
  );
  const looked = await oauth.introspectionRequest(as, self, secret, refreshed.access_token, http);
  expect(await oauth.processIntrospectionResponse(as, self, looked)).toMatchObject({
    active: true,
    sub: user.id,
  });
  const ended = await oauth.revocationRequest(as, self, secret, refreshed.access_token, http);
  await oauth.processRevocationResponse(ended);
  const gone = await oauth.introspectionRequest(as, self, secret, refreshed.access_token, http);
  expect(await oauth.processIntrospectionResponse(as, self, gone)).toEqual({ active: false });
});

test("an API checks its token as RFC 9068 says, and refuses that of another", async () => {
  const { user, as, tokens } = await signIn({ resource: API });
  const request = new Request(API, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });

  expect(await oauth.validateJwtAccessToken(as, request, API, http)).toMatchObject({
    iss: gatehouse.origin,
    sub: user.id,
  });
  await expect(
    oauth.validateJwtAccessToken(as, request, "https://other.example.com/", http),
  ).rejects.toThrow();
});
