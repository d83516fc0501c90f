import { Agent, get } from "node:http";
import { median } from "./figures.ts";

const CONNECTIONS = 16;

/** A page to measure: its URL and its request headers. */
type Target = { url: URL; headers?: Record<string, string> };

/**
 * Returns requests a second of a target divided by those of `base`: the median of alternating rounds, so that other
 * work of the machine affects both. The first round is a warm-up and does not count.
 */
export async function measureRatio(
  base: Target,
  target: Target,
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const baseRate = await measureRate(base, roundMs);
    const rate = await measureRate(target, roundMs);
    if (round > 0) ratios.push(rate / baseRate);
  }
  return median(ratios);
}

/**
 * Returns requests a second over connections that stay open. Each connection sends its next request as soon as it has
 * an answer.
 */
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

/** Sends one request and reads the whole answer. Fails unless the status is 200. */
function ask({ url, headers }: Target, agent: Agent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = get(url, { agent, headers }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
    response.on("end", resolve).on("error", reject).resume();
  });
  request.on("error", reject);
  return promise;
}
