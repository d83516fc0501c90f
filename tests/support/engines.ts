import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { chromium } from "@playwright/test";
import { Builder, Capabilities, Session, WebDriver } from "selenium-webdriver";
import { test as base, expect, inject, vi } from "vitest";
import { ensureChromium } from "../../scripts/chromium.ts";
import { type EngineName, findEngine, LABELS } from "../../scripts/engines.ts";
import { drivePage } from "./driven-page.ts";
import type { Page } from "./engine-page.ts";
import { effectsHaveRun, isHydrated } from "./hydration.ts";
import { connectMarionette } from "./marionette.ts";
import { startLine } from "./network-line.ts";
import { aSignedInUser, type Person } from "./people.ts";
import { type Gatehouse, startGatehouse } from "./worker.ts";

export { expect };

declare module "vitest" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: an interface is what vitest extends
  interface ProvidedContext {
    engine: EngineName;
  }
}

/** The window sizes of the journeys. */
export const SIZES = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1_280, height: 800 },
} as const;

/** Only ends what hangs. */
const PATIENCE = { timeout: 120_000, interval: 50 };

type Cookies = [name: string, value: string][];

/** A browser without cookies, at a desktop's size, on the product of a test. */
type Visit = {
  page: Page;
  setCookies: (cookies: Cookies) => Promise<void>;
  /** Makes the browser forget the product, as another person's would not know it. */
  forget: () => Promise<void>;
  /** Makes the browser hold passkeys, and use them without a question. Undefined where the engine cannot. */
  addAuthenticator?: () => Promise<unknown>;
  /** What the browser complained of; empty where the driver does not say it. */
  problems: string[];
  end: () => Promise<void>;
};

type Engine = AsyncDisposable & { visit: (origin: string) => Promise<Visit> };

const name = inject("engine");

async function startChromium(): Promise<Engine> {
  const executablePath = await ensureChromium();
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  return {
    async visit(origin) {
      const context = await browser.newContext({ baseURL: origin, viewport: SIZES.desktop });
      context.setDefaultTimeout(PATIENCE.timeout);
      const page = await context.newPage();
      const problems: string[] = [];
      context.on("weberror", (error) => problems.push(error.error().message));
      return {
        page,
        problems,
        setCookies: (cookies) =>
          context.addCookies(cookies.map(([name, value]) => ({ name, value, url: origin }))),
        async forget() {
          await context.clearCookies();
          await page.goto("/robots.txt");
          await page.evaluate(clearStorage);
        },
        async addAuthenticator() {
          const devtools = await context.newCDPSession(page);
          await devtools.send("WebAuthn.enable");
          await devtools.send("WebAuthn.addVirtualAuthenticator", {
            options: {
              protocol: "ctap2",
              transport: "internal",
              hasResidentKey: true,
              hasUserVerification: true,
              isUserVerified: true,
              automaticPresenceSimulation: true,
            },
          });
        },
        end: () => context.close(),
      };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** What Firefox does by itself, on other machines or in the way of a test, and the software that holds passkeys. */
const PREFERENCES = {
  "marionette.port": 0,
  "app.normandy.enabled": false,
  "app.update.auto": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "browser.startup.page": 0,
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.update.enabled": false,
  "intl.accept_languages": "en",
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "nimbus.rollouts.enabled": false,
  "security.webauth.webauthn_enable_softtoken": true,
  "security.webauth.webauthn_enable_usbtoken": false,
  "signon.rememberSignons": false,
  "toolkit.telemetry.enabled": false,
};

async function startFirefox(): Promise<Engine> {
  await using started = new AsyncDisposableStack();
  const profile = mkdtempSync(join(tmpdir(), "gatehouse-firefox-"));
  started.defer(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const args = ["--headless", "--no-remote", "--marionette", "--remote-debugging-port=0"];
  started.use(startProgram(findEngine("firefox"), [...args, "--profile", profile]));
  const portFile = join(profile, "MarionetteActivePort");
  await vi.waitFor(() => expect(existsSync(portFile)).toBe(true), PATIENCE);
  const { send, executor } = await connectMarionette(Number(readFileSync(portFile, "utf8")));
  const session = (await send("WebDriver:NewSession", { webSocketUrl: true })) as {
    sessionId: string;
    capabilities: object;
  };
  const driver = new WebDriver(
    new Session(session.sessionId, new Capabilities(session.capabilities)),
    executor,
  );
  const bidi = await driver.getBidi();
  let problems: string[] = [];
  bidi.on("log.entryAdded", ({ level, text }) => {
    if (level === "error") problems.push(text);
  });
  await bidi.subscribe("log.entryAdded");
  const ending = started.move();

  return {
    async visit(origin) {
      const { value: context } = (await send("WebDriver:GetWindowHandle")) as { value: string };
      const setViewportSize: Page["setViewportSize"] = (viewport) =>
        bidi.send({ method: "browsingContext.setViewport", params: { context, viewport } });
      await forget(driver, origin);
      await setViewportSize(SIZES.desktop);
      problems = [];
      let authenticatorId: unknown;
      return {
        page: await drivePage({ driver, origin, setViewportSize }),
        problems,
        setCookies: (cookies) => addCookies(driver, cookies),
        forget: () => forget(driver, origin),
        async addAuthenticator() {
          const answer = await send("WebAuthn:AddVirtualAuthenticator", {
            protocol: "ctap2",
            transport: "internal",
            hasResidentKey: true,
            hasUserVerification: true,
            isUserConsenting: true,
            isUserVerified: true,
          });
          authenticatorId = (answer as { value: unknown }).value;
        },
        async end() {
          if (!authenticatorId) return;
          await send("WebAuthn:RemoveVirtualAuthenticator", { authenticatorId });
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      await bidi.close();
      await ending.disposeAsync();
    },
  };
}

async function startWebKit(): Promise<Engine> {
  await using started = new AsyncDisposableStack();
  const display = startProgram(
    "Xvfb",
    ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
    { stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  started.use(display);
  const number = await firstLineOf(display.child.stdio[3] as Readable);
  const port = await findFreePort();
  const env = { ...process.env, DISPLAY: `:${number}`, LANGUAGE: "en", GDK_BACKEND: "x11" };
  started.use(startProgram(findEngine("webkit"), [`--port=${port}`], { env, stdio: "ignore" }));
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${url}/status`), PATIENCE);
  const driver = await new Builder()
    .usingServer(url)
    .withCapabilities({
      browserName: "MiniBrowser",
      // A window with a toolbar is never as narrow as a phone.
      "webkitgtk:browserOptions": {
        args: ["--automation", "--full-screen"],
      },
    })
    .build();
  started.defer(() => driver.quit());
  const ending = started.move();

  return {
    async visit(origin) {
      const setViewportSize: Page["setViewportSize"] = (size) =>
        driver
          .manage()
          .window()
          .setRect({ x: 0, y: 0, ...size });
      await forget(driver, origin);
      await setViewportSize(SIZES.desktop);
      return {
        page: await drivePage({ driver, origin, setViewportSize }),
        problems: [],
        setCookies: (cookies) => addCookies(driver, cookies),
        forget: () => forget(driver, origin),
        end: async () => {},
      };
    },
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  };
}

/** Makes the browser forget the product. It then has a page of the product open, for which cookies can be set. */
async function forget(driver: WebDriver, origin: string): Promise<void> {
  await driver.get(`${origin}/robots.txt`);
  await driver.manage().deleteAllCookies();
  await driver.executeAsyncScript(`(${clearStorage})(); arguments[0]();`);
}

function clearStorage(): void {
  localStorage.clear();
  sessionStorage.clear();
}

async function addCookies(driver: WebDriver, cookies: Cookies): Promise<void> {
  for (const [name, value] of cookies) {
    await driver.manage().addCookie({ name, value, path: "/", httpOnly: true, sameSite: "Lax" });
  }
}

/** Starts a program that ends with this process, at the latest. */
function startProgram(path: string | undefined, args: string[], options: SpawnOptions = {}) {
  if (!path) throw new Error(`${LABELS[name]} is not installed`);
  const child: ChildProcess = spawn(path, args, { stdio: "ignore", ...options });
  const kill = () => child.kill();
  process.once("exit", kill);
  return {
    child,
    async [Symbol.asyncDispose]() {
      process.off("exit", kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      kill();
      await ended;
    },
  };
}

/** Returns the first line, and leaves the stream open: Xvfb ends when nothing reads on. */
function firstLineOf(stream: Readable): Promise<string> {
  return new Promise((resolve) => createInterface(stream).once("line", resolve));
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (!address || typeof address === "string") throw new Error("There is no free port");
  return address.port;
}

const START = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit };

/** Whether the engine can hold passkeys in a test. */
const HAS_AUTHENTICATOR = { chromium: true, firefox: true, webkit: false };

/**
 * `test` with the product running and a page in the engine of this project: Playwright's own in Chromium. A journey is
 * written once. Each file has its own product and database.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures off this pattern
  .extend("engine", { scope: "worker" }, async ({}, { onCleanup }) => {
    const engine = await START[name]();
    onCleanup(() => engine[Symbol.asyncDispose]());
    return engine;
  })
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures off this pattern
  .extend("line", { scope: "file" }, async ({}, { onCleanup }) => {
    const line = await startLine();
    onCleanup(() => line[Symbol.asyncDispose]());
    return line;
  })
  .extend("gatehouse", { scope: "file" }, async ({ line }, { onCleanup }) => {
    const gatehouse = await startGatehouse({ vars: { BASE_URL: line.origin } });
    line.leadTo(gatehouse.url);
    onCleanup(() => gatehouse[Symbol.asyncDispose]());
    return gatehouse;
  })
  .extend("visit", async ({ engine, gatehouse, task }, { onCleanup }) => {
    const visit = await engine.visit(gatehouse.origin);
    onCleanup(async () => {
      if (task.result?.state === "fail") await keepScreenshot(visit.page, task.name);
      await visit.end();
      expect(visit.problems, "what the browser complained of").toEqual([]);
    });
    return visit;
  })
  .extend("page", async ({ visit }) => visit.page);

async function keepScreenshot(page: Page, title: string): Promise<void> {
  const folder = resolve(import.meta.dirname, "../../test-results");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name} ${title}.png`), await page.screenshot());
}

/** Adds a journey with passkeys, or says that this engine cannot hold them in a test. */
export function withPasskeys(title: string, add: (title: string) => void): void {
  if (HAS_AUTHENTICATOR[name]) add(title);
  else console.log(`${LABELS[name]} has no virtual authenticator, so it does not run: ${title}`);
}

/** Signs a new user in. */
export async function signInAs(
  { gatehouse, visit }: { gatehouse: Gatehouse; visit: Visit },
  overrides: Partial<Person> = {},
): Promise<Person> {
  const { user, browser } = await aSignedInUser(gatehouse, overrides);
  await visit.setCookies([...browser.cookies]);
  return user;
}

/** Opens a page and waits until React has hydrated it and run its effects. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
}

/** Waits until React has hydrated the open page and run its effects. */
export async function hydrated(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(isHydrated)).toBe(true);
  await page.evaluate(effectsHaveRun);
}

/** Waits until the page has this path. */
export async function arrivesAt(page: Page, path: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => location.pathname)).toBe(path);
}
