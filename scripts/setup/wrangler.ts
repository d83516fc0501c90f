import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

/** A command of wrangler that failed, with all that it printed. */
export class WranglerError extends Error {
  override name = "WranglerError";
  readonly code: number | undefined;

  constructor(command: string, output: string) {
    super(`wrangler ${command}\n${reasonOf(output)}`);
    this.code = Number(/\[code: (\d+)\]/.exec(output)?.[1]) || undefined;
  }
}

/**
 * Runs the project's wrangler for an environment of wrangler.toml and returns what it printed. `input` goes to its
 * standard input, so that a secret is in no list of processes. It never asks: it has no terminal.
 */
export async function wrangler(environment: string, args: string[], input = ""): Promise<string> {
  const child = spawn("wrangler", [...args, `--env=${environment}`], {
    // Its JSON is printed at the level "log".
    env: {
      ...process.env,
      WRANGLER_LOG: "log",
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_HIDE_BANNER: "true",
      NO_COLOR: "1",
    },
  });
  const kill = () => child.kill();
  process.once("exit", kill);
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (errors += chunk));
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on("error", reject);
  child.on("close", (code) => resolve(code ?? 1));
  const code = await promise;
  process.removeListener("exit", kill);
  const [printed, failed] = [output, errors].map(stripVTControlCharacters) as [string, string];
  if (code !== 0) throw new WranglerError(args.slice(0, 3).join(" "), `${failed}\n${printed}`);
  return printed;
}

/** Runs a command of wrangler that answers with JSON. */
export async function askWrangler<T>(environment: string, args: string[]): Promise<T> {
  const printed = await wrangler(environment, args);
  return JSON.parse(printed.slice(printed.search(/^[[{]/m)));
}

/** Returns the lines that say why: without the banner, the paths of log files and stack traces. */
function reasonOf(output: string): string {
  const [, reason = output] = output.split("[ERROR]");
  return reason
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line && !/^(at |🪵|If you think this is a bug|⛅|─|✘)/u.test(line))
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join("\n");
}
