import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

test.each(["/login", "/login/verify?email=ada@example.com", "/nowhere"])(
  "%s is not painted before its content is read",
  async (path) => {
    const { document } = readPage(await (await newBrowser(gatehouse).get(path)).text());
    const expected = document.querySelector('link[rel="expect"][blocking="render"]');
    expect(expected?.getAttribute("href")).toBe("#end");
    const order = [...document.querySelectorAll("main, #end")].map(({ localName }) => localName);
    expect(order).toEqual(["main", "script"]);
  },
);
