import { afterAll, expect, test } from "vitest";
import { type Browser, locationOf, newBrowser } from "../support/client.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  enterCode,
  newEmail,
} from "../support/people.ts";
import { aPicture } from "../support/pictures.ts";
import { listAddresses } from "../support/routes.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const PICTURE = crypto.randomUUID();

const gatehouse = await startGatehouse({ isProbed: true });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);
const { user, browser: plain } = await aSignedInUser(gatehouse);
const stranger = newBrowser(gatehouse);
await gatehouse.d1
  .prepare(
    "INSERT INTO repository (id, name, name_key, link, created_at, updated_at) VALUES ('r1', 'zod', 'zod', 'https://zod.dev', 1, 1)",
  )
  .run();

const paths = listAddresses().map(({ pattern }) =>
  pattern
    .replace("/users/:id", `/users/${user.id}`)
    .replace("/repositories/:id", "/repositories/r1")
    .replace(/:\w+|\*/, "x"),
);

async function countTrips(browser: Browser, path: string): Promise<number> {
  const response = await browser.get(path);
  await response.arrayBuffer();
  expect([path, response.status]).not.toEqual([path, 500]);
  return Number(response.headers.get("x-d1-calls"));
}

test.each(paths.filter((path) => path !== "/ready"))(
  "%s asks the database nothing for whoever is not signed in",
  async (path) => {
    expect(await countTrips(stranger, path)).toBe(0);
  },
);

test.each(paths)("%s asks the database twice at most for whoever is signed in", async (path) => {
  expect(await countTrips(plain, path)).toBeLessThanOrEqual(2);
  expect(await countTrips(manager, path)).toBeLessThanOrEqual(2);
});

/** A picture's status, and what it read of the database and of the bucket. */
async function costOfPicture(browser: Browser, name: string, headers?: HeadersInit) {
  const { status, headers: answered } = await browser.get(`/avatars/${name}`, { headers });
  return [status, answered.get("x-d1-calls"), answered.get("x-r2-reads")];
}

test("a picture asks the database nothing, and the bucket once", async () => {
  await gatehouse.avatars?.put(PICTURE, aPicture());

  for (const browser of [plain, manager]) {
    expect(await costOfPicture(browser, PICTURE)).toEqual([200, "0", "1"]);
  }
});

test("a picture, there or not, reads nothing for a browser without a session of ours", async () => {
  await gatehouse.avatars?.put(PICTURE, aPicture());
  const forged = { cookie: `gatehouse.session_token=${"x".repeat(32)}.${btoa("x".repeat(32))}` };

  for (const name of [PICTURE, crypto.randomUUID(), "x"]) {
    expect(await costOfPicture(stranger, name)).toEqual([404, "0", "0"]);
    expect(await costOfPicture(stranger, name, forged)).toEqual([404, "0", "0"]);
  }
});

/** Asks for a code, enters it and opens the first screen. Returns the calls of each step and the last answer. */
async function signInStep(email: string, house: Gatehouse = gatehouse) {
  const browser = newBrowser(house);
  const callsOf = (response: Response) => Number(response.headers.get("x-d1-calls"));
  const asked = await askForCode(browser, email);
  const entered = await enterCode(browser, email, await house.mailbox.codeFor(email));
  expect(entered.status).toBe(302);
  const screen = await browser.get(locationOf(entered) ?? "");
  expect(screen.status).toBe(200);
  return {
    browser,
    path: locationOf(entered),
    calls: [asked, entered, screen].map(callsOf),
    screen,
  };
}

test("a returning user signs in with five calls one after the other, and one document", async () => {
  const { email } = await aUser(gatehouse);

  const { path, calls } = await signInStep(email);

  expect(path).toBe("/app");
  expect(calls).toEqual([2, 2, 1]);
});

test("a sign-up takes nine calls at most, onboarding included", async () => {
  const { browser, path, calls } = await signInStep(newEmail());
  expect(path).toBe("/onboarding");

  const named = await browser.submit("/onboarding", { name: "Zuri" });
  const home = await browser.get(locationOf(named) ?? "");

  expect(home.status).toBe(200);
  const after = [named, home].map((response) => Number(response.headers.get("x-d1-calls")));
  expect([...calls, ...after].reduce((sum, count) => sum + count)).toBeLessThanOrEqual(9);
});

test("the first admin reaches the dashboard with ten calls at most", async () => {
  const email = "boss@example.com";
  await using house = await startGatehouse({ isProbed: true, vars: { ADMIN_EMAILS: email } });
  const { browser, path, calls } = await signInStep(email, house);
  expect(path).toBe("/onboarding");

  const named = await browser.submit("/onboarding", { name: "Zuri" });
  expect(locationOf(named)).toBe("/manager/dashboard");
  const dashboard = await browser.get("/manager/dashboard");

  expect(dashboard.status).toBe(200);
  const after = [named, dashboard].map((response) => Number(response.headers.get("x-d1-calls")));
  expect([...calls, ...after].reduce((sum, count) => sum + count)).toBeLessThanOrEqual(10);
});

test("a page starts at any replica, and what may write starts at the primary", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const startOf = async (answer: Promise<Response>) => (await answer).headers.get("x-d1-start");

  expect(await startOf(newBrowser(gatehouse).get("/app"))).toBe("first-unconstrained");
  expect(await startOf(browser.get("/api/auth/callback/oidc?error=x"))).toBe("first-primary");
  expect(await startOf(browser.submit("/preferences", {}))).toBe("first-primary");
  expect(await startOf(browser.api("/api/auth/revoke-sessions"))).toBe("first-primary");
  expect(await startOf(browser.get("/app"))).not.toMatch(/^first-|^$/);
});

test("an answer says how often the database was asked for it", async () => {
  const response = await manager.get("/manager/dashboard");

  expect(response.headers.get("server-timing")).toBe(
    `d1;desc="${response.headers.get("x-d1-calls")} round trips"`,
  );
});

test("an answer to a change does not, for that would tell who has an account", async () => {
  const response = await stranger.submit("/login", { intent: "email", email: user.email });

  expect(response.headers.get("server-timing")).toBeNull();
});
