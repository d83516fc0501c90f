import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const STYLE = /<style\b[^>]*>([\s\S]*?)<\/style>/;
const LINK = /<link rel="stylesheet"/;

async function open(path: string, target: Gatehouse = gatehouse): Promise<string> {
  return (await newBrowser(target).get(path)).text();
}

test.each(["/login", "/login?redirect=/app"])(
  "%s contains the whole stylesheet and loads no stylesheet file",
  async (path) => {
    const page = await open(path);
    const url = readPage(page).document.querySelector("style")?.getAttribute("data-href") ?? "";

    const file = await open(url);
    expect(file.length).toBeGreaterThan(10_000);
    expect(STYLE.exec(page)?.[1]).toBe(file);
    expect(page).not.toMatch(LINK);
    // The page is not painted before it is complete.
    expect(page).toContain('<link rel="expect" href="#end" blocking="render"/>');
    expect(page.indexOf(' id="end"')).toBeGreaterThan(page.indexOf("</main>"));
  },
);

test("an anonymous visitor's first page preloads its scripts at low priority", async () => {
  const preloads = (await open("/login")).match(/<link rel="modulepreload"[^>]*>/g) ?? [];

  expect(preloads.length).toBeGreaterThan(3);
  expect(preloads.filter((link) => !link.includes('fetchpriority="low"'))).toEqual([]);
});

test("later pages link the stylesheet file, which the browser caches", async () => {
  const page = await open("/login/verify?email=ada@example.com");

  expect(page).toMatch(LINK);
  expect(page).not.toMatch(STYLE);
});

test("without the built files the first page links its stylesheet too", async () => {
  await using bare = await startGatehouse({ without: ["ASSETS"] });

  const page = await open("/login", bare);

  expect(page).toMatch(LINK);
  expect(page).not.toMatch(STYLE);
});
