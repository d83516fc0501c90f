import { onTestFinished } from "vitest";
import type { Page } from "../support/engine-page.ts";
import { expect, open, signInAs, test } from "../support/engines.ts";
import { newEmail } from "../support/people.ts";

/**
 * Waits for what loads after the first paint: the script that watches the network, and the error
 * page. Firefox keeps a module that failed half-way until the next page.
 */
async function watchesNetwork(page: Page): Promise<void> {
  const isThere = () =>
    document.querySelector("[popover] > [role=status]") !== null &&
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/error-page-"));
  await expect.poll(() => page.evaluate(isThere)).toBe(true);
}

test("a form that finds no server keeps what was typed, and is sent when there is one", async ({
  page,
  visit,
  gatehouse,
  line,
}) => {
  await signInAs({ visit, gatehouse }, { role: "admin" });
  await open(page, "/manager/users/new");
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Half a line");
  await page.getByRole("textbox", { name: "Email" }).fill(newEmail("line"));
  const create = page.getByRole("button", { name: "Create user" });

  await watchesNetwork(page);
  await line.cut();
  onTestFinished(line.mend);
  await create.click();
  await page.getByText("Not sent: no connection. What you typed is still in the form.").waitFor();
  expect(await name.inputValue()).toBe("Half a line");

  await line.mend();
  await create.click();
  await page.getByRole("heading", { name: "Half a line" }).waitFor();
});

test("a link that finds no server opens a page that loads it when there is one", async ({
  page,
  visit,
  gatehouse,
  line,
}) => {
  await signInAs({ visit, gatehouse }, { role: "admin" });
  await open(page, "/manager/organizations");
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await page.getByRole("heading", { name: "Users" }).waitFor();
  await watchesNetwork(page);
  await line.cut();
  onTestFinished(line.mend);
  await page.getByRole("link", { name: "Organizations", exact: true }).click();
  const again = page.getByRole("link", { name: "Try again" });
  await again.waitFor();

  await line.mend();
  await again.click();
  await page.getByRole("heading", { name: "Organizations" }).waitFor();
});
