import { afterAll, expect, test } from "vitest";
import { locationOf, newBrowser } from "../../../../tests/support/client.ts";
import { aSignedInUser, newEmail } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { APP_SECRET, anApp } from "./apps.ts";
import { walk } from "./relying-party.ts";

// A second site of this product signs people in with the first, by its own "Continue with …".

const first = await startGatehouse();
const clientId = crypto.randomUUID();
const second = await startGatehouse({
  vars: {
    OIDC_NAME: "First",
    OIDC_DISCOVERY_URL: `${first.origin}/.well-known/openid-configuration`,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: APP_SECRET,
  },
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
});
await anApp(first, {
  client_id: clientId,
  name: "Second",
  redirect_uris: JSON.stringify([`${second.origin}/api/auth/callback/oidc`]),
});

test("a person of the first site signs up at the second, and signs in again without a question", async () => {
  const email = newEmail("both");
  const { browser } = await aSignedInUser(first, { email, name: "Zawadi Achieng" });
  const visitor = newBrowser(second);
  const press = async () => {
    const pressed = await visitor.submit("/login", { intent: "social", provider: "oidc" });
    return new URL(pressed.headers.get("location") ?? "");
  };

  const asked = await press();
  expect(asked.origin).toBe(first.origin);
  const { path } = await walk(first, browser, browser.get(asked.pathname + asked.search));
  const { away } = await walk(first, browser, browser.submit(path, { intent: "allow" }));
  const back = await visitor.get(String(away?.pathname) + away?.search);

  expect(locationOf(back)).toBe("/onboarding");
  const page = await (await visitor.get("/onboarding")).text();
  expect(page).toContain("Zawadi Achieng");
  const user = await second.d1
    .prepare("SELECT email_verified FROM user WHERE email = ?")
    .bind(email)
    .first();
  expect(user).toEqual({ email_verified: 1 });

  visitor.cookies.clear();
  const again = await press();
  const direct = await walk(first, browser, browser.get(again.pathname + again.search));
  const signedIn = await visitor.get(String(direct.away?.pathname) + direct.away?.search);
  expect(locationOf(signedIn)).toBe("/onboarding");
});

test("a person who refuses at the first site is told so at the second", async () => {
  const { browser } = await aSignedInUser(first);
  const visitor = newBrowser(second);
  const pressed = await visitor.submit("/login", { intent: "social", provider: "oidc" });
  const asked = new URL(pressed.headers.get("location") ?? "");
  const { path } = await walk(first, browser, browser.get(asked.pathname + asked.search));

  const { away } = await walk(first, browser, browser.submit(path, { intent: "refuse" }));

  const back = await visitor.get(String(away?.pathname) + away?.search);
  expect(locationOf(back)).toContain("/login/error?error=access_denied");
});
