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

test("a program reads the local inbox as JSON, the newest mail first, with code and link", async () => {
  const [first, second] = [newEmail("first"), newEmail("second")];
  for (const email of [first, second]) await askForCode(newBrowser(gatehouse), email);

  const answer = await newBrowser(gatehouse).get("/dev/inbox", {
    headers: { accept: "application/json" },
  });

  const mails: { to: string; kind: string; subject: string; code: string; link: string }[] =
    JSON.parse(await answer.text());
  expect(mails.slice(0, 2).map(({ to }) => to)).toEqual([second, first]);
  const [newest] = mails;
  expect(newest).toMatchObject({ kind: "login-code", code: expect.stringMatching(/^\d{6}$/) });
  expect(newest?.subject).toContain(newest?.code);
  expect(newest?.link).toContain(`${gatehouse.origin}/login/verify`);
});

test("the inbox answers no program where mails are sent, or on another host", async () => {
  await using sending = await startGatehouse();
  const headers = { accept: "application/json" };

  expect((await newBrowser(sending).get("/dev/inbox", { headers })).status).toBe(404);
});
