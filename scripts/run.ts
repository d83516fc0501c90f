import { type SpawnOptions, spawn } from "node:child_process";

/**
 * Runs a command of node_modules/.bin and returns its exit code, and its output unless that goes straight to the
 * terminal. A command is ended together with the script that started it.
 */
export async function run(
  command: string,
  args: string[],
  options: { quiet?: boolean; cwd?: string; env?: Record<string, string | undefined> } = {},
) {
  const spawnOptions: SpawnOptions = {
    stdio: options.quiet ? ["ignore", "pipe", "pipe"] : "inherit",
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
  };
  const child = spawn(command, args, spawnOptions);
  const kill = () => child.kill();
  process.once("exit", kill);

  let output = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (output += chunk));
  const { promise, resolve } = Promise.withResolvers<number>();
  child.on("error", (error) => {
    output += error.message;
    resolve(1);
  });
  child.on("close", (code) => resolve(code ?? 1));
  const code = await promise;
  process.removeListener("exit", kill);
  return { code, output };
}
