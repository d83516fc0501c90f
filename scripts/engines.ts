import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ensureChromium } from "./chromium.ts";
import { run } from "./run.ts";

export const ENGINE_NAMES = ["chromium", "firefox", "webkit"] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** The engines' names as people know them. */
export const LABELS = { chromium: "Chromium", firefox: "Firefox", webkit: "WebKit" } as const;

/** What Playwright does not install: programs, any of which will do, and Debian's packages of them. */
const INSTALLED = {
  firefox: { programs: ["firefox-esr", "firefox"], packages: ["firefox-esr"] },
  webkit: { programs: ["WebKitWebDriver"], packages: ["webkit2gtk-driver", "xvfb"] },
} as const;

/** Returns the path of an engine's browser, or of its driver. Undefined when it is not installed. */
export function findEngine(name: "firefox" | "webkit"): string | undefined {
  const { programs } = INSTALLED[name];
  if (name === "webkit" && !findProgram("Xvfb")) return undefined;
  return programs.map(findProgram).find((path) => path !== undefined);
}

/** Finds the engines, and installs Debian's packages of those that are missing where it may (as root). */
export async function ensureEngines(): Promise<EngineName[]> {
  for (const name of ["firefox", "webkit"] as const) if (!findEngine(name)) await install(name);
  const isThere = {
    chromium: await ensureChromium(),
    firefox: findEngine("firefox"),
    webkit: findEngine("webkit"),
  };
  return ENGINE_NAMES.filter((name) => isThere[name]);
}

async function install(name: "firefox" | "webkit"): Promise<void> {
  if (process.getuid?.() !== 0 || !findProgram("apt-get")) return;
  console.log(`No ${LABELS[name]} here yet: installing Debian's…`);
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" }, quiet: true };
  await run("apt-get", ["update", "-qq"], options);
  await run("apt-get", ["install", "-qq", "-y", ...INSTALLED[name].packages], options);
}

function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
