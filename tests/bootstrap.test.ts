import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";

const FOREVER = "console.log(process.pid); setInterval(() => {}, 1_000)";

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("when the shell of npm is ended, the script that it started ends too", async () => {
  // The second command keeps the shell, as npm's shell stays while its script runs.
  const command = `node scripts/bootstrap.cjs -e '${FOREVER}'; true`;
  const shell = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "inherit"] });
  const [printed] = await once(shell.stdout, "data");
  const pid = Number(printed);
  expect(isAlive(pid)).toBe(true);

  shell.kill("SIGTERM");

  await expect.poll(() => isAlive(pid)).toBe(false);
});
