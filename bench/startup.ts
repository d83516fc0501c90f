import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../scripts/run.ts";
import { fail } from "../scripts/terminal.ts";

/** The parts of V8's profile that are read: the node of each sample, and the microseconds since the previous sample. */
type Profile = {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  timeDeltas: number[];
};

/**
 * Returns the milliseconds that the built worker computes before it can answer, from wrangler's profile of its start.
 * It takes the lowest of several tries, because other work of the machine can only add time.
 */
export async function measureStartup(tries: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
  const file = join(folder, "startup.cpuprofile");
  const durations: number[] = [];
  for (let count = 0; count < tries; count++) {
    const { code, output } = await run("wrangler", ["check", "startup", "--outfile", file], {
      quiet: true,
    });
    if (code !== 0) fail(output);
    durations.push(activeMs(JSON.parse(readFileSync(file, "utf8"))));
  }
  rmSync(folder, { recursive: true });
  return Math.min(...durations);
}

function activeMs({ nodes, samples, timeDeltas }: Profile): number {
  const idle = nodes.find(({ callFrame }) => callFrame.functionName === "(idle)")?.id;
  const active = timeDeltas.filter((_, index) => samples[index] !== idle);
  return active.reduce((sum, delta) => sum + delta, 0) / 1_000;
}
