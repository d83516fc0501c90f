import { type Browser, chromium, type Page } from "@playwright/test";
import { ensureChromium } from "../scripts/chromium.ts";
import { median } from "./figures.ts";

const ROUNDS = 5;
/** The phone and the connection of Lighthouse's mobile test. */
const SCREEN = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true };
const CONNECTION = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
/** A page is done when no long task has run for this time. */
const QUIET_MS = 2_000;
/** Tasks longer than this delay the reader's input. Only the time above it counts as blocking. */
const LONG_TASK_MS = 50;

type Paint = { lcp: number; cls: number; tbt: number; longest: number };

/** Measures the first paint of a page in Chromium as a phone: medians, or undefined without Chromium. */
export async function measurePaints(
  url: URL,
  cookies: ReadonlyMap<string, string>,
  slowdown: number,
): Promise<Paint | undefined> {
  const executablePath = await ensureChromium();
  if (!executablePath) return undefined;
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const paints: Paint[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const paint = await visit(browser, url, cookies, slowdown);
    // The first visit warms up the worker.
    if (round > 0) paints.push(paint);
  }
  await browser.close();
  const of = (figure: keyof Paint) => median(paints.map((paint) => paint[figure]));
  return { lcp: of("lcp"), cls: of("cls"), tbt: of("tbt"), longest: of("longest") };
}

/** Opens a page with an empty cache. */
async function visit(
  browser: Browser,
  url: URL,
  cookies: ReadonlyMap<string, string>,
  slowdown: number,
): Promise<Paint> {
  const context = await browser.newContext(SCREEN);
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: url.origin })));
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await devtools.send("Network.emulateNetworkConditions", CONNECTION);
  await page.goto(url.href, { waitUntil: "load" });
  const paint = await readPaint(page);
  await context.close();
  return paint;
}

/**
 * Reads the browser's own performance entries once the page is quiet. Blocking counts from the first contentful paint
 * on.
 */
function readPaint(page: Page): Promise<Paint> {
  return page.evaluate(
    ({ quietMs, longTaskMs }) =>
      new Promise<Paint>((resolve) => {
        let lcp = Number.NaN;
        let cls = 0;
        const tasks: PerformanceEntry[] = [];
        let timer = 0;
        const finish = () => {
          const firstPaint =
            performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
          const durations = tasks
            .filter(({ startTime }) => startTime >= firstPaint)
            .map(({ duration }) => duration);
          const tbt = durations.reduce((sum, duration) => sum + duration - longTaskMs, 0);
          resolve({ lcp, cls, tbt, longest: Math.max(0, ...durations) });
        };
        const restart = () => {
          clearTimeout(timer);
          timer = window.setTimeout(finish, quietMs);
        };
        const watch = (type: string, read: (entry: PerformanceEntry) => void) =>
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) read(entry);
            restart();
          }).observe({ type, buffered: true });
        watch("largest-contentful-paint", ({ startTime }) => {
          lcp = startTime;
        });
        watch("layout-shift", (entry) => {
          if ("value" in entry) cls += Number(entry.value);
        });
        watch("longtask", (entry) => tasks.push(entry));
        restart();
      }),
    { quietMs: QUIET_MS, longTaskMs: LONG_TASK_MS },
  );
}
