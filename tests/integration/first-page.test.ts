import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

async function open(path: string, target: Gatehouse = gatehouse): Promise<string> {
  return (await newBrowser(target).get(path)).text();
}

/** Opens a page and returns its stylesheets: the inlined one, and the link to the file. */
async function stylesOf(path: string, target?: Gatehouse) {
  const { document } = readPage(await open(path, target));
  return {
    document,
    inlined: document.querySelector("style"),
    link: document.querySelector('link[rel="stylesheet"]'),
  };
}

test.each(["/login", "/login/verify?email=ada@example.com", "/nowhere"])(
  "%s is not painted before its content is read",
  async (path) => {
    const { document } = await stylesOf(path);
    const expected = document.querySelector('link[rel="expect"][blocking="render"]');
    expect(expected?.getAttribute("href")).toBe("#end");
    const order = [...document.querySelectorAll("main, #end")].map(({ localName }) => localName);
    expect(order).toEqual(["main", "script"]);
  },
);

test.each(["/login", "/login?redirect=/app"])(
  "%s contains the styles of the sign-in pages and loads no stylesheet file",
  async (path) => {
    const { inlined, link } = await stylesOf(path);

    const file = await open(inlined?.getAttribute("data-href") ?? "");
    expect(file.length).toBeGreaterThan(10_000);
    expect(inlined?.textContent).toBe(file);
    expect(link).toBeNull();
  },
);

test("later pages link the stylesheet file, which the browser caches", async () => {
  const { inlined, link } = await stylesOf("/login/verify?email=ada@example.com");

  expect(link).not.toBeNull();
  expect(inlined).toBeNull();
});

test("without the built files the first page links the stylesheet of all screens", async () => {
  await using bare = await startGatehouse({ without: ["ASSETS"] });

  const { inlined, link } = await stylesOf("/login", bare);

  expect(link).not.toBeNull();
  expect(inlined).toBeNull();
});
