// npm run bench: four tables of the build's figures beside their budgets; fails when a budget is broken. With `--
// --quick` the lists have 100,000 users, 10,000 organizations and 10,000 repositories instead of ten times that, and
// rounds are shorter.
// Counts are the same on every machine; milliseconds are not.

import { build } from "../scripts/build.ts";
import { fail, formatDuration, readOptions, showProgress, step } from "../scripts/terminal.ts";
import { measureCpu } from "./cpu.ts";
import { printTable, type Table } from "./figures.ts";
import { measureJourneys } from "./journeys.ts";
import { measureRows } from "./rows.ts";
import { PROBE, startSample } from "./sample.ts";
import { measureTravel } from "./travel.ts";

const FULL = {
  sample: { users: 1_000_000, organizations: 100_000, things: 100_000 },
  roundMs: 1_500,
};
const QUICK = {
  sample: { users: 100_000, organizations: 10_000, things: 10_000 },
  roundMs: 700,
};

const options = readOptions({ quick: { type: "boolean" } }, "npm run bench -- [--quick]");
const effort = options.quick ? QUICK : FULL;

console.log("Gatehouse");
const built = await step("build", build, (made) => {
  if (!made.ok) return "failed";
  return made.isNew ? "made for production" : "nothing changed since the last one";
});
if (!built.ok) fail(built.output);

const started = performance.now();
let broken = 0;
await print("journeys", measureJourneys);
await print("rows", async () => {
  await using sample = await startSample(effort.sample, { front: PROBE });
  return await measureRows(sample);
});
await print("CPU", () => measureCpu(effort));
await print("travel", measureTravel);
console.log(
  `\n${broken === 0 ? "Every budget is kept." : `Broken budgets: ${broken}.`} ` +
    `Measured in ${formatDuration(performance.now() - started)}.`,
);
process.exitCode = broken === 0 ? 0 : 1;

async function print(name: string, measure: () => Promise<Table>): Promise<void> {
  showProgress(`  ${name} …`);
  const table = await measure();
  showProgress("");
  broken += printTable(table);
}
