import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, askForCode, aUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse({ mail: "local" });
afterAll(() => gatehouse[Symbol.asyncDispose]());

test("a mail that nothing sends is said to be in the local inbox, in each place that tells of it", async () => {
  const { browser: manager } = await anAdmin(gatehouse);
  const person = await aUser(gatehouse);
  await askForCode(newBrowser(gatehouse), person.email);

  const log = readPage(
    await (await manager.get(`/manager/mail?searchTerm=${person.email}`)).text(),
  );
  const page = readPage(await (await manager.get(`/manager/users/${person.id}?tab=emails`)).text());

  const [row] = log.rows();
  expect(row).toContain("In the local inbox");
  expect(log.text()).toContain("Nothing is sent from here");
  expect(page.text()).toContain("In the local inbox");
  for (const shown of [log, page]) {
    const words = [...shown.document.querySelectorAll("main td, main dd, main li")].map(
      ({ textContent }) => textContent?.trim(),
    );
    expect(words).not.toContain("Sent");
    expect(words).not.toContain("Not reported yet");
  }
});
