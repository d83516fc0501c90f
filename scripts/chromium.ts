import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { run } from "./run.ts";

const SYSTEM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * The path of a Chromium that starts: the one of CHROMIUM_PATH, the system's, or Playwright's, which is downloaded when
 * there is none; where that cannot be had, Debian's package with a font for Arabic. Undefined when all of that failed.
 */
export async function ensureChromium(): Promise<string | undefined> {
  const found = findChromium() ?? (await findPlaywrightChromium());
  if (found) return found;

  console.log("No Chromium here yet: downloading Playwright's…");
  await run("playwright", ["install", "chromium"], {
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "15000" },
  });
  const downloaded = await findPlaywrightChromium();
  if (downloaded || process.getuid?.() !== 0) return downloaded;

  console.log("Installing Debian's Chromium instead…");
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-qq"], { env });
  await run("apt-get", ["install", "-qq", "-y", "chromium", "fonts-noto-core"], { env });
  return findChromium();
}

function findChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const installed = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.CHROMIUM_PATH ?? "", ...installed].find(doesStart);
}

async function findPlaywrightChromium() {
  const { chromium } = await import("@playwright/test");
  return [chromium.executablePath()].find(doesStart);
}

/** A browser may be there and lack a library; asking for its version finds out. */
function doesStart(path: string) {
  return path !== "" && spawnSync(path, ["--version"], { stdio: "ignore" }).status === 0;
}
