import { afterAll, expect, test } from "vitest";
import { type Browser, newBrowser } from "../support/client.ts";
import { anAdmin, aSignedInUser } from "../support/people.ts";
import { aPicture } from "../support/pictures.ts";
import { listAddresses } from "../support/routes.ts";
import { startGatehouse } from "../support/worker.ts";

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

test("a picture asks the database nothing, whoever asks for it", async () => {
  await gatehouse.avatars?.put(PICTURE, aPicture());

  for (const browser of [stranger, plain, manager]) {
    const response = await browser.get(`/avatars/${PICTURE}`);
    expect([response.status, response.headers.get("x-d1-calls")]).toEqual([200, "0"]);
  }
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
