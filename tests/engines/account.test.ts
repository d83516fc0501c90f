import { resolve } from "node:path";
import { expect, open, SIZES, signInAs, test } from "../support/engines.ts";

const PICTURE = resolve(import.meta.dirname, "../../public/icon-180.png");

test("a user changes their name on a phone, and the page shows it", async ({
  page,
  visit,
  gatehouse,
}) => {
  await page.setViewportSize(SIZES.phone);
  await signInAs({ visit, gatehouse }, { name: "Neema" });
  await open(page, "/app/account");

  await page.getByRole("link", { name: "Change name" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("textbox", { name: "Name" }).fill("Neema Juma");
  await drawer.getByRole("button", { name: "Save" }).click();

  await page.getByText("Your name has been changed.").waitFor();
  await expect.poll(() => drawer.count()).toBe(0);
  await open(page, "/app");
  await page.getByRole("heading", { name: /^Hello, .?Neema Juma/ }).waitFor();
});

test("a user chooses a picture, and sees it in their menu", async ({ page, visit, gatehouse }) => {
  await signInAs({ visit, gatehouse });
  await open(page, "/app/account");

  await page.getByRole("link", { name: "Change picture" }).click();
  await page.getByLabel("Choose a picture").setInputFiles(PICTURE);
  await page.getByRole("slider", { name: "Zoom" }).press("End");
  await page.getByRole("button", { name: "Save picture" }).click();

  await page.getByText("Your picture has been changed.").waitFor();
  await expect
    .poll(() => page.evaluate(() => [...document.images].map(({ naturalWidth }) => naturalWidth)))
    .toContain(256);
});
