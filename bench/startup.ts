import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../scripts/run.ts";
import { fail } from "../scripts/terminal.ts";

/** What is read of V8's profile: which node was seen at each sample, and the microseconds since the one before. */
type Profile = {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  timeDeltas: number[];
};

/**
 * Milliseconds that the built worker computes before it can answer, by wrangler's own profile of its start. The least
 * of several: whatever else the machine does can only add to it.
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
