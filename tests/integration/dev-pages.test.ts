import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { findAll, readPage, textOf } from "../support/page.ts";
import { askForCode, newEmail } from "../support/people.ts";
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

test("a mail that only a newer release can write does not keep the others out of the local inbox", async () => {
  const [newer, other] = [newEmail("newer"), newEmail("other")];
  for (const email of [newer, other]) await askForCode(newBrowser(gatehouse), email);
  await gatehouse.d1
    .prepare("UPDATE mail_outbox SET kind = 'parcel-arrived' WHERE recipient = ?")
    .bind(newer)
    .run();

  const answer = await newBrowser(gatehouse).get("/dev/inbox");

  expect(answer.status).toBe(200);
  const text = readPage(await answer.text()).text();
  expect(text).toContain(other);
  expect(text).not.toContain(newer);
});
