import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { D1_WAIT_MS } from "../values/platform-limits.ts";
import { boundedD1, isUnavailable, repeatable, withBoundedWait } from "./bounded-d1.server.ts";

const READ = "SELECT 1";
const WRITE = "UPDATE user SET name = ''";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const silence = () => new Promise<never>(() => {});
const lost = async () => {
  throw new Error("D1_ERROR: Network connection lost.");
};

/**
 * A binding that answers each call as the next of these functions does. Returns the wrapped one, and counts the calls.
 */
function aDatabase(...answers: (() => Promise<unknown>)[]) {
  const asked: string[] = [];
  const answer = (what: string) => {
    asked.push(what);
    return (answers[asked.length - 1] ?? (async () => "answered"))();
  };
  const binding = {
    prepare: (sql: string) => {
      const statement = { bind: () => statement, run: () => answer(sql), first: () => answer(sql) };
      return statement;
    },
    batch: (statements: unknown[]) => answer(`batch of ${statements.length}`),
  };
  // Only what these tests call.
  const d1 = boundedD1(binding as unknown as D1Database);
  return { d1, asked, run: (sql: string) => d1.prepare(sql).bind().run<never>() };
}

/** Returns what became of a call, and after how many milliseconds. */
async function outcomeOf(call: () => Promise<unknown>) {
  const begin = Date.now();
  const settled = call().then(
    () => ({ outcome: "answered", ms: Date.now() - begin }),
    (error) => ({
      outcome: isUnavailable(error) ? "unavailable" : "failed",
      ms: Date.now() - begin,
    }),
  );
  await vi.runAllTimersAsync();
  return settled;
}

test("a read that is not answered fails after three seconds, a write after eight", async () => {
  const { run, d1 } = aDatabase(silence, silence, silence, silence);

  expect(await outcomeOf(() => run(READ))).toEqual({ outcome: "unavailable", ms: 3_000 });
  expect(await outcomeOf(() => run(WRITE))).toEqual({ outcome: "unavailable", ms: 8_000 });
  const [read, write] = [d1.prepare(READ), d1.prepare(WRITE)];
  expect(await outcomeOf(() => d1.batch([read, read]))).toMatchObject({ ms: 3_000 });
  expect(await outcomeOf(() => d1.batch([read, write]))).toMatchObject({ ms: 8_000 });
});

test("an error of the database passes through at once", async () => {
  const { run, asked } = aDatabase(async () => {
    throw new Error("D1_ERROR: no such table: x: SQLITE_ERROR");
  });

  expect(await outcomeOf(() => run(READ))).toEqual({ outcome: "failed", ms: 0 });
  expect(asked).toHaveLength(1);
});

test.each([
  "D1_ERROR: Network connection lost.",
  "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
  "D1_ERROR: Internal error in D1 DB storage caused object to be reset.",
  "D1_ERROR: D1 DB reset because its code was updated.",
])("a read is asked once more after %s", async (message) => {
  const once = aDatabase(async () => {
    throw new Error(message);
  });
  const twice = aDatabase(lost, lost);

  expect(await outcomeOf(() => once.run(READ))).toMatchObject({ outcome: "answered" });
  expect(await outcomeOf(() => twice.run(READ))).toMatchObject({ outcome: "unavailable" });
  expect(twice.asked).toHaveLength(2);
});

test("a write that lost its connection is asked once more only where it is marked", async () => {
  const plain = aDatabase(lost);
  const marked = aDatabase(lost);

  expect(await outcomeOf(() => plain.run(WRITE))).toMatchObject({ outcome: "unavailable" });
  expect(plain.asked).toHaveLength(1);
  expect(await outcomeOf(() => repeatable(() => marked.run(WRITE)))).toMatchObject({
    outcome: "answered",
  });
  expect(marked.asked).toHaveLength(2);
});

test("an overloaded database is not asked again", async () => {
  const { run, asked } = aDatabase(async () => {
    throw new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.");
  });

  expect(await outcomeOf(() => run(READ))).toMatchObject({ outcome: "unavailable" });
  expect(asked).toHaveLength(1);
});

test("after one statement that was not answered, the others of a request fail at once", async () => {
  const { run, asked } = aDatabase(silence);

  const { result } = await withBoundedWait(async () => ({
    first: await outcomeOf(() => run(READ)),
    second: await outcomeOf(() => run(WRITE)),
  }));

  expect(result.first.ms).toBe(3_000);
  expect(result.second).toEqual({ outcome: "unavailable", ms: 0 });
  expect(asked).toEqual([READ]);
});

test("all statements of a request together wait eleven seconds at most, which leaves one for its answer", async () => {
  expect(D1_WAIT_MS.request + 1_000).toBe(12_000);
  // Each takes a little less than it may.
  const slow = () => new Promise((resolve) => setTimeout(resolve, D1_WAIT_MS.read - 1));
  const { run, asked } = aDatabase(slow, slow, slow, slow, slow);

  const { isUnavailable: hasFailed, result } = await withBoundedWait(() =>
    outcomeOf(async () => {
      for (let count = 0; count < 5; count += 1) await run(READ);
    }),
  );

  expect(result).toEqual({ outcome: "unavailable", ms: D1_WAIT_MS.request });
  expect(hasFailed).toBe(true);
  expect(asked).toHaveLength(4);
});

test("what a request still reads after its answer has only the end of each statement", async () => {
  const { run } = aDatabase();
  let late: (() => Promise<never>) | undefined;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();

  await withBoundedWait(async () => {
    late = async () => {
      await begun;
      return (await run(READ)) as never;
    };
    return run(READ);
  });
  await vi.advanceTimersByTimeAsync(60_000);
  begin();

  expect(await outcomeOf(async () => late?.())).toMatchObject({ outcome: "answered" });
});
