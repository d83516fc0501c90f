import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { anAdmin, aSignedInUser, aUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const SLUG = "/_server/organization-slug";
const EMAIL = "/_server/email-availability";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);
const { browser: user } = await aSignedInUser(gatehouse);
const { browser: newcomer } = await anAdmin(gatehouse, { onboarded_at: null });
const anonymous = newBrowser(gatehouse);

const FREE = { email: "zod@free.example" };

function pathOf(payload: unknown, url = EMAIL): string {
  const search = { payload: JSON.stringify(payload), context: "{}" };
  return `${url}?${new URLSearchParams(search)}`;
}

test("a server function answers GET and POST alike", async () => {
  const byGet = await manager.get(pathOf(FREE));
  const byPost = await manager.api(EMAIL, { payload: FREE, context: {} });

  expect([byGet.status, byPost.status]).toEqual([200, 200]);
  expect(await byGet.json()).toEqual({ result: { isAvailable: true } });
  expect(await byPost.json()).toEqual({ result: { isAvailable: true } });
});

test("an unknown function answers 404 to every role", async () => {
  for (const id of ["nothing", "__proto__", "constructor", "toString"]) {
    for (const browser of [anonymous, manager]) {
      const get = await browser.get(`/_server/${id}?payload=%7B%7D`);
      const post = await browser.api(`/_server/${id}`, { payload: {}, context: {} });
      const empty = await browser.request(`/_server/${id}`, { method: "POST" });
      const broken = await browser.get(`/_server/${id}?payload={`);
      const statuses = [get, post, empty, broken].map(({ status }) => status);
      expect(statuses).toEqual([404, 404, 404, 404]);
      expect(await get.json()).toEqual({ error: { code: "NOT_FOUND" } });
    }
  }
});

test.each([
  ["an anonymous visitor", anonymous, 401, "UNAUTHORIZED"],
  ["a user without a name", newcomer, 403, "NOT_ONBOARDED"],
  ["a user without permission", user, 403, "FORBIDDEN"],
])("%s is refused", async (_name, browser, status, code) => {
  const get = await browser.get(pathOf(FREE));
  const post = await browser.api(EMAIL, { payload: FREE, context: {} });

  expect([get.status, post.status]).toEqual([status, status]);
  expect(await get.json()).toEqual({ error: { code } });
  expect(await post.json()).toEqual({ error: { code } });
});

test.each([
  [{}, "email"],
  [{ email: 7 }, "email"],
  [{ email: ["zod"] }, "email"],
  [{ email: "x".repeat(255) }, "email"],
  [{ email: "zod@free.example", exceptId: {} }, "exceptId"],
])("the payload %j is refused with its field", async (payload, field) => {
  const response = await manager.get(pathOf(payload));

  expect(response.status).toBe(400);
  const { error } = JSON.parse(await response.text());
  expect(error.code).toBe("INVALID_PAYLOAD");
  expect(Object.keys(error.fields)).toEqual([field]);
});

test.each([
  "",
  "?payload=",
  "?payload=%7B",
  "?payload=zod",
  "?payload=%7B%7D&context=%7B",
  "?payload=null",
])("the query %j is refused", async (search) => {
  const response = await manager.get(EMAIL + search);

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: "INVALID_PAYLOAD" } });
});

test.each(["PUT", "PATCH", "DELETE"])("a server function refuses %s", async (method) => {
  const response = await manager.request(EMAIL, { method });

  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("GET, POST");
  expect(await response.json()).toEqual({ error: { code: "METHOD_NOT_ALLOWED" } });
});

test("a failure's answer has no details", async () => {
  await using broken = await startGatehouse();
  broken.expectErrors("server_function.failed");
  const { browser } = await anAdmin(broken);
  await broken.d1.exec("ALTER TABLE organization RENAME TO elsewhere");

  const response = await browser.get(pathOf({ name: "zod" }, SLUG));

  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ error: { code: "UNKNOWN_ERROR" } });
});

test("an e-mail is taken in any spelling, except for its own user", async () => {
  const person = await aUser(gatehouse);
  const ask = async (payload: unknown, browser = manager) => {
    const search = new URLSearchParams({ payload: JSON.stringify(payload) });
    const response = await browser.get(`${EMAIL}?${search}`);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const isAvailable = async (payload: unknown) => (await ask(payload)).body.result.isAvailable;

  expect(await isAvailable({ email: ` ${person.email.toUpperCase()} ` })).toBe(false);
  expect(await isAvailable({ email: person.email, exceptId: person.id })).toBe(true);
  expect(await isAvailable({ email: "free@free.example" })).toBe(true);
  for (const email of ["", "nobody", "zoe@", "zoe@example"]) {
    expect(await ask({ email })).toEqual({ status: 200, body: { result: {} } });
  }
  for (const payload of [{}, { email: ["a@b.example"] }, { email: "x".repeat(255) }]) {
    expect(await ask(payload)).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_PAYLOAD", fields: { email: expect.any(Array) } } },
    });
  }
  for (const [browser, status, code] of [
    [anonymous, 401, "UNAUTHORIZED"],
    [newcomer, 403, "NOT_ONBOARDED"],
    [user, 403, "FORBIDDEN"],
  ] as const) {
    expect(await ask({ email: person.email }, browser)).toEqual({
      status,
      body: { error: { code } },
    });
  }
});
