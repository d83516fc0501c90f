import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** Runs one step and prints its name, its result and its duration. */
export async function step<T>(
  name: string,
  work: () => Promise<T> | T,
  describe: (result: T) => string,
) {
  const started = performance.now();
  const label = `  ${name.padEnd(10)}`;
  showProgress(`${label} …`);
  const result = await work();
  showProgress("");
  console.log(`${label} ${describe(result)}  (${formatDuration(performance.now() - started)})`);
  return result;
}

/** Prints a line that the next one replaces. Prints nothing where lines cannot be replaced, such as in a log file. */
export function showProgress(line: string) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
}

/** Formats milliseconds: "40 ms", "1.2 s", "3 min 20 s". */
export function formatDuration(milliseconds: number) {
  const seconds = milliseconds / 1000;
  if (seconds < 0.95) return `${Math.round(milliseconds)} ms`;
  if (seconds < 59.5) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Reads the options of a command. Prints the usage and exits with code 1 for an unknown option. */
export function readOptions<T extends ParseArgsOptionsConfig>(options: T, usage: string) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\nUsage: ${usage}`);
  }
}

/** Ends the command with a message that says how to fix it, without a stack. */
export function fail(message: string): never {
  showProgress("");
  console.error(message);
  process.exit(1);
}
