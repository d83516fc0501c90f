import { afterAll, expect, test } from "vitest";
import { attributeOf, newBrowser } from "../support/client.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const STYLE = /<style\b[^>]*>([\s\S]*?)<\/style>/;
const LINK = /<link rel="stylesheet"/;

async function open(path: string, target: Gatehouse = gatehouse): Promise<string> {
  return (await newBrowser(target).get(path)).text();
}

test.each(["/login", "/login?redirect=/app"])(
  "%s carries the whole stylesheet with it, and asks for no file of it",
  async (path) => {
    const page = await open(path);
    const address = attributeOf(page, STYLE, "data-href") ?? "";

    const file = await open(address);
    expect(file.length).toBeGreaterThan(10_000);
    expect(STYLE.exec(page)?.[1]).toBe(file);
    expect(page).not.toMatch(LINK);
    // Nor is it painted before all of it is there.
    expect(page).toContain('<link rel="expect" href="#end" blocking="render"/>');
    expect(page.indexOf(' id="end"')).toBeGreaterThan(page.indexOf("</main>"));
  },
);

test("a stranger's first page is seen before its scripts are fetched", async () => {
  const preloads = (await open("/login")).match(/<link rel="modulepreload"[^>]*>/g) ?? [];

  expect(preloads.length).toBeGreaterThan(3);
  expect(preloads.filter((link) => !link.includes('fetchpriority="low"'))).toEqual([]);
});

test("pages that come later name the stylesheet, which the browser then keeps", async () => {
  const page = await open("/login/verify?email=ada@example.com");

  expect(page).toMatch(LINK);
  expect(page).not.toMatch(STYLE);
});

test("without the built files at hand the first page names its stylesheet too", async () => {
  await using bare = await startGatehouse({ without: ["ASSETS"] });

  const page = await open("/login", bare);

  expect(page).toMatch(LINK);
  expect(page).not.toMatch(STYLE);
});
