import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { run } from "./run.ts";

/** A headless Chromium, which takes two thirds of the time of a full one. Playwright prefers it too. */
const SHELL = "chromium-headless-shell";
const WHOLE = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Returns the path of a Chromium that starts. It tries CHROMIUM_PATH, the system's shell, Debian's
 * package of the shell (as root), the system's other browsers, and last Playwright's own, which it
 * downloads. Undefined when all of them fail.
 */
export async function ensureChromium(): Promise<string | undefined> {
  const given = [process.env.CHROMIUM_PATH ?? ""].find(doesStart);
  return (
    given ??
    findInstalled([SHELL]) ??
    (await installShell()) ??
    findInstalled(WHOLE) ??
    (await findPlaywrightChromium()) ??
    (await downloadPlaywrightChromium())
  );
}

function findInstalled(names: string[]) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(doesStart);
}

/** Includes a font for Arabic. */
async function installShell() {
  if (process.getuid?.() !== 0 || !findInstalled(["apt-get"])) return undefined;
  console.log(`No ${SHELL} here yet: installing Debian's…`);
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" }, quiet: true };
  await run("apt-get", ["update", "-qq"], options);
  await run("apt-get", ["install", "-qq", "-y", SHELL, "fonts-noto-core"], options);
  return findInstalled([SHELL]);
}

async function findPlaywrightChromium() {
  const { chromium } = await import("@playwright/test");
  return [chromium.executablePath()].find(doesStart);
}

async function downloadPlaywrightChromium() {
  console.log("No Chromium here yet: downloading Playwright's…");
  await run("playwright", ["install", "chromium"], {
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "15000" },
  });
  return findPlaywrightChromium();
}

/** A program may exist and lack a library; asking for its version finds out. */
function doesStart(path: string) {
  return path !== "" && spawnSync(path, ["--version"], { stdio: "ignore" }).status === 0;
}
