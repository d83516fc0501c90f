import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { findAll, readPage, textOf } from "../support/page.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse({ mail: "local" });
afterAll(() => gatehouse[Symbol.asyncDispose]());

test("the gallery of mails has an index, in which each link leads to the part of its name", async () => {
  const page = readPage(await (await newBrowser(gatehouse).get("/dev/mails")).text());
  const [index] = [...page.document.querySelectorAll('nav[aria-label="On this page"]')];
  if (!index) throw new Error("The page has no index");

  const links = findAll(index, "link");
  const names = links.map(textOf);
  const headings = links.map((link) => {
    const part = page.document.getElementById((link.getAttribute("href") ?? "").slice(1));
    return part && textOf(part.querySelector("h2"));
  });
  expect(headings).toEqual(names);
  expect(names).toContain("Invitation to an organization");
  expect(new Set(names).size).toBe(names.length);
  const parts = [...page.document.querySelectorAll("article > h2, article > header > h2")];
  expect(new Set(names)).toEqual(new Set(parts.map(textOf)));
});
