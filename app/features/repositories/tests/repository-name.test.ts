import { afterAll, expect, test } from "vitest";
import { anAdmin } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";

const NAME = "/_server/repository-name-availability";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);

function pathOf(payload: unknown): string {
  return `${NAME}?${new URLSearchParams({ payload: JSON.stringify(payload) })}`;
}

test("a name is taken in any spelling, except for its own repository", async () => {
  const now = Date.now();
  await gatehouse.d1
    .prepare(
      "INSERT INTO repository (id, name, name_key, link, created_at, updated_at) VALUES ('r1', 'Ångström', 'ångström', 'https://example.com', ?, ?)",
    )
    .bind(now, now)
    .run();
  const isAvailable = async (payload: object) =>
    JSON.parse(await (await manager.get(pathOf(payload))).text()).result.isAvailable;

  expect(await isAvailable({ name: " ÅNGSTRÖM " })).toBe(false);
  expect(await isAvailable({ name: "A\u030angstro\u0308m" })).toBe(false);
  expect(await isAvailable({ name: "Ångström", exceptId: "r1" })).toBe(true);
  expect(await isAvailable({ name: "Ångström 2" })).toBe(true);
});

test.each([
  [{}, "name"],
  [{ name: "" }, "name"],
  [{ name: 7 }, "name"],
  [{ name: ["zod"] }, "name"],
  [{ name: "x".repeat(101) }, "name"],
  [{ name: "zod", exceptId: {} }, "exceptId"],
])("the payload %j is refused with its field", async (payload, field) => {
  const response = await manager.get(pathOf(payload));

  expect(response.status).toBe(400);
  const { error } = JSON.parse(await response.text());
  expect(error.code).toBe("INVALID_PAYLOAD");
  expect(Object.keys(error.fields)).toEqual([field]);
});
