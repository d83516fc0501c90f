import { Agent, get } from "node:http";

const CONNECTIONS = 16;

/** A page under load: its address, and what a request for it carries. */
export type Target = { url: URL; headers?: Record<string, string> };

export type Ratio = { median: number; lowest: number; highest: number };

/**
 * Requests a second of each target, divided by those of `base` in the same round. The rounds alternate, so that what
 * else the machine does meets all of them; the first warms everything up and does not count.
 */
export async function measureRatios(
  base: Target,
  targets: Target[],
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<Ratio[]> {
  const ratios: number[][] = targets.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    const baseRate = await measureRate(base, roundMs);
    for (const [index, target] of targets.entries()) {
      const rate = await measureRate(target, roundMs);
      if (round > 0) ratios[index]?.push(rate / baseRate);
    }
  }
  return ratios.map(summarize);
}

function summarize(values: number[]): Ratio {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    lowest: sorted.at(0) ?? Number.NaN,
    highest: sorted.at(-1) ?? Number.NaN,
  };
}

/** Requests a second over connections that stay open, each asking again as soon as it has its answer. */
async function measureRate(target: Target, durationMs: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const started = performance.now();
  const end = started + durationMs;
  let count = 0;
  async function keepAsking() {
    while (performance.now() < end) {
      await ask(target, agent);
      count += 1;
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, keepAsking));
  const seconds = (performance.now() - started) / 1_000;
  agent.destroy();
  return count / seconds;
}

/** One request, to the end of its answer. Fails unless that is 200. */
function ask({ url, headers }: Target, agent: Agent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = get(url, { agent, headers }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
    response.on("end", resolve).on("error", reject).resume();
  });
  request.on("error", reject);
  return promise;
}
