import { afterAll, expect, test } from "vitest";
import { insertRows } from "../support/insert.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const DAY_MS = 86_400_000;
const NOW = new Date();

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

/** Writes sign-ins of a user of that name, one for each age in days. */
async function addEvents({ d1 }: Pick<Gatehouse, "d1">, actor: string, daysAgo: number[]) {
  const rows = daysAgo.map((days) => ({
    id: `${actor}-${days}`,
    action: "user.signed_in",
    actor_id: actor,
    created_at: NOW.getTime() - days * DAY_MS,
  }));
  await insertRows(d1, "audit_event", rows);
}

async function eventsOf({ d1 }: Pick<Gatehouse, "d1">, actor: string): Promise<string[]> {
  const { results } = await d1
    .prepare("SELECT id FROM audit_event WHERE actor_id = ? ORDER BY created_at DESC")
    .bind(actor)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

test("the hourly run deletes audit events older than 400 days, and the figures of the chart stay", async () => {
  await addEvents(gatehouse, "ada", [1, 90, 399, 401, 1_000]);
  const slotOf90Days = Math.floor((NOW.getTime() - 90 * DAY_MS) / 900_000);
  const days = () =>
    gatehouse.d1
      .prepare("SELECT * FROM slot_count WHERE slot >= ? ORDER BY name, slot")
      .bind(slotOf90Days)
      .all();
  const before = (await days()).results;
  expect(before).toHaveLength(2);

  await gatehouse.runHourly(NOW);

  expect(await eventsOf(gatehouse, "ada")).toEqual(["ada-1", "ada-90", "ada-399"]);
  expect((await days()).results).toEqual(before);
});

test("no other statement deletes or changes an audit event", async () => {
  await addEvents(gatehouse, "bea", [500]);

  for (const statement of ["DELETE FROM audit_event", "UPDATE audit_event SET actor_id = 'x'"]) {
    await expect(gatehouse.d1.exec(statement)).rejects.toThrow(/append-only/);
  }

  expect(await eventsOf(gatehouse, "bea")).toEqual(["bea-500"]);
});

test("with AUDIT_KEEP_DAYS=0 all events stay", async () => {
  await using keeper = await startGatehouse({ vars: { AUDIT_KEEP_DAYS: "0" } });
  await addEvents(keeper, "cleo", [5_000]);

  await keeper.runHourly(NOW);

  expect(await eventsOf(keeper, "cleo")).toEqual(["cleo-5000"]);
});
