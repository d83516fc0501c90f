import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Locator,
  type Page,
  type Browser as PlaywrightBrowser,
} from "@playwright/test";
import { effectsHaveRun, isHydrated } from "./hydration.ts";
import { aSignedInUser, type Person } from "./people.ts";
import { type Gatehouse, type GatehouseOptions, startGatehouse } from "./worker.ts";

export { expect };

/** The window sizes of the screen tests. */
export const SIZES = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1_280, height: 800 },
} as const;

type TestFixtures = {
  gatehouse: Gatehouse;
  /** Starts the product with other settings; it stops after the test's browsers have closed. */
  newGatehouse: (options: GatehouseOptions) => Promise<Gatehouse>;
  /** Opens a browser context without cookies, with its own IP address. */
  newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** Opens a page in a browser context of its own, signed in as a new user. */
  signedIn: (
    person?: Partial<Person>,
    options?: BrowserContextOptions,
  ) => Promise<{ page: Page; context: BrowserContext; user: Person }>;
  /** Announces an expected browser problem by a part of its text; the test fails when the problem does not occur. */
  expectProblem: (text: string) => void;
};

type WorkerFixtures = {
  /**
   * Starts what the tests of one process share, when the first of them asks for it by its name. A worker fixture in a
   * file of tests would end the process, with its browser and product, before the next file.
   */
  shared: <Part extends AsyncDisposable>(name: string, start: () => Promise<Part>) => Promise<Part>;
};

/**
 * Playwright's `test` with the product running. A test fails on a console error, an uncaught exception, a hydration
 * mismatch, a 5xx response, a 404 for a resource, and a request to another machine.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  shared: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures off this pattern
    async ({}, use) => {
      await using started = new AsyncDisposableStack();
      const parts = new Map<string, Promise<AsyncDisposable>>();
      await use((name, start) => {
        const part = parts.get(name) ?? start().then((one) => started.use(one));
        parts.set(name, part);
        // Each name has one function that starts it.
        return part as ReturnType<typeof start>;
      });
    },
    { scope: "worker" },
  ],

  gatehouse: async ({ shared }, use) => {
    await use(await shared("product", () => startGatehouse()));
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures off this pattern
  newGatehouse: async ({}, use) => {
    await using started = new AsyncDisposableStack();
    await use(async (options) => started.use(await startGatehouse(options)));
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures off this pattern
  expectProblem: async ({}, use) => {
    await use((text) => expected.add(text));
  },

  newContext: async (
    // `newGatehouse` is unused here, but depending on it closes the browsers before the product stops.
    { browser, gatehouse, contextOptions, locale, colorScheme, viewport, newGatehouse: _ },
    use,
  ) => {
    const contexts: BrowserContext[] = [];
    const problems: string[] = [];
    expected.clear();
    await use(async (options = {}) => {
      const settings = {
        ...contextOptions,
        baseURL: gatehouse.origin,
        locale,
        colorScheme,
        viewport,
      };
      const context = await openContext(browser, { ...settings, ...options }, problems);
      contexts.push(context);
      return context;
    });
    for (const context of contexts) await context.close();
    const unexpected = problems.filter(
      (problem) => ![...expected].some((text) => problem.includes(text)),
    );
    const missing = [...expected].filter(
      (text) => !problems.some((problem) => problem.includes(text)),
    );
    expect(unexpected, "what the browser complained of").toEqual([]);
    expect(missing, "what the browser should have complained of").toEqual([]);
  },

  signedIn: async ({ newContext, gatehouse }, use) => {
    await use(async (person = {}, options = {}) => {
      const context = await newContext(options);
      const user = await signInAs(gatehouse, context, person);
      return { page: await context.newPage(), context, user };
    });
  },

  context: async ({ newContext }, use) => {
    await use(await newContext());
  },

  page: async ({ context }, use) => {
    await use(await context.newPage());
  },
});

const expected = new Set<string>();

/** Opens a browser context with an IP address of its own, and adds what it complains of to `problems`. */
export async function openContext(
  browser: PlaywrightBrowser,
  options: BrowserContextOptions,
  problems: string[],
): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...options,
    extraHTTPHeaders: { "cf-connecting-ip": nextIpAddress(), ...options.extraHTTPHeaders },
  });
  watch(context, (problem) => problems.push(problem));
  return context;
}

function watch(context: BrowserContext, report: (problem: string) => void) {
  context.on("console", (message) => {
    // Chromium logs this for every 4xx; 5xx responses are reported below.
    if (message.type() !== "error" || /^Failed to load resource: /.test(message.text())) return;
    report(`console.error: ${message.text()}`);
  });
  context.on("weberror", (error) => report(`uncaught: ${error.error().message}`));
  context.on("response", (response) => {
    const url = new URL(response.url());
    if (response.status() >= 500) report(`${response.status()} ${url.pathname}`);
    if (response.status() === 404 && !response.request().isNavigationRequest()) {
      report(`404 ${url.pathname}`);
    }
  });
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "localhost" && hostname !== "127.0.0.1") {
      report(`request to ${request.url()}`);
    }
  });
}

let contexts = 0;

/**
 * Returns an IP address of the upper half of the benchmarking range (RFC 2544); `client.ts` begins at the lower half.
 */
function nextIpAddress(): string {
  contexts += 1;
  return `198.19.${process.pid & 255}.${contexts & 255}`;
}

/** Adds a new user's session to a browser context. */
export async function signInAs(
  gatehouse: Gatehouse,
  context: BrowserContext,
  overrides: Partial<Person> = {},
): Promise<Person> {
  const { user, browser } = await aSignedInUser(gatehouse, overrides);
  await context.addCookies(
    [...browser.cookies].map(([name, value]) => ({ name, value, url: gatehouse.origin })),
  );
  return user;
}

/** Asks for a code on the login screen in English, and waits for the next screen. */
export async function askForCode(page: Page, email: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Continue with email" }).click();
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
}

/**
 * The button of a question that does what it asks: its last one. Toasts, which stand above a
 * question, have buttons too.
 */
export function confirmButton(question: Locator): Locator {
  const outsideToasts = question.page().locator(":not([data-sonner-toaster] *)");
  return question.getByRole("button").and(outsideToasts).last();
}

/** Finds a toast, or the notice that replaces it without JavaScript. */
export function toast(page: Page, text: string): Locator {
  const notice = page.getByRole("status").or(page.getByRole("alert")).filter({ hasText: text });
  return page.getByRole("region").getByText(text).or(notice);
}

/** Changes the system's colour scheme, and waits until the page's transitions have ended. */
export async function setColorScheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await nextFrame();
    await nextFrame();
    while (document.getAnimations().some(({ playState }) => playState === "running")) {
      await nextFrame();
    }
  });
}

/** Waits until React has hydrated the page and run its effects, such as those that listen for keys. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(isHydrated);
  await page.evaluate(effectsHaveRun);
}

/** Lets the data of the pages at this path wait. Returns the function that lets it go on. */
export async function holdData(page: Page, path: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(`**${path}.data*`, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** Waits for the script that watches the network: it loads after the first paint. */
export async function watchesNetwork(page: Page): Promise<void> {
  await page.locator("[popover] > [role=status]").waitFor({ state: "attached" });
}

/** Opens the menu of a user's screen, in which the ban and the deletion are. */
export async function openUserMenu(page: Page, label = "Actions"): Promise<void> {
  await page.getByRole("button", { name: label, exact: true }).click();
}
