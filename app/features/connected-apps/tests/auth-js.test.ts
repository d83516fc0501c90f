import { Auth, type AuthConfig, setEnvDefaults } from "@auth/core";
import { afterAll, expect, test } from "vitest";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { APP_SECRET, anApp } from "./apps.ts";
import { walk } from "./relying-party.ts";

// An app with Auth.js, configured as docs/sign-in-with-it.md says.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const SHOP = "https://shop.example.com";
const { client_id: clientId } = await anApp(gatehouse, {
  redirect_uris: JSON.stringify([`${SHOP}/api/auth/callback/gatehouse`]),
});

const config: AuthConfig = {
  basePath: "/api/auth",
  secret: "a secret of the app, for its own cookies",
  trustHost: true,
  providers: [
    {
      id: "gatehouse",
      name: "Gatehouse",
      type: "oidc",
      issuer: gatehouse.origin,
      clientId,
      clientSecret: APP_SECRET,
      authorization: { params: { scope: "openid profile email" } },
      checks: ["pkce", "state", "nonce"],
    },
  ],
};
setEnvDefaults({}, config);

/** The app, and a browser that has only its cookies. */
function newShop() {
  const cookies = new Map<string, string>();
  return async function ask(path: string, fields?: Record<string, string>): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = new Request(SHOP + path, {
      headers: { cookie },
      ...(fields && { method: "POST", body: new URLSearchParams(fields) }),
    });
    const response = await Auth(request, config);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
}

test("Auth.js signs a person in, and knows name and e-mail", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { name: "Zawadi Achieng" });
  const shop = newShop();
  const { csrfToken } = (await (await shop("/api/auth/csrf")).json()) as { csrfToken: string };
  const asked = await shop("/api/auth/signin/gatehouse", { csrfToken });
  const url = new URL(asked.headers.get("location") ?? "");
  expect(url.origin).toBe(gatehouse.origin);

  const { path } = await walk(gatehouse, browser, browser.get(url.pathname + url.search));
  const { away } = await walk(gatehouse, browser, browser.submit(path, { intent: "allow" }));
  await shop(String(away?.pathname) + away?.search);

  const session = await (await shop("/api/auth/session")).json();
  expect(session).toMatchObject({ user: { name: "Zawadi Achieng", email: user.email } });
});
