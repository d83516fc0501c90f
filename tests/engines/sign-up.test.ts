import { isolate } from "../../app/ui/text/isolate.ts";
import type { Page } from "../support/engine-page.ts";
import {
  arrivesAt,
  hydrated,
  open,
  SIZES,
  signInAs,
  test,
  withPasskeys,
} from "../support/engines.ts";
import { newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import type { Gatehouse } from "../support/worker.ts";

const t = translationsIn("en");

/** Signs an e-mail in with a code, up to the page after it. */
async function enterByCode(page: Page, gatehouse: Gatehouse, email: string, text = t) {
  await page.getByRole("textbox", { name: text("login:email") }).fill(email);
  await page.getByRole("button", { name: text("login:withEmail") }).click();
  await page.getByRole("heading", { name: text("login:verifyTitle") }).waitFor();
  await page
    .getByRole("textbox", { name: text("login:code") })
    .pressSequentially(await gatehouse.mailbox.codeFor(email));
}

for (const language of ["en", "ar"] as const) {
  const text = translationsIn(language);

  test(`a new user signs up with a code on a phone, gives a name and signs out (${language})`, async ({
    page,
    gatehouse,
  }) => {
    const email = newEmail("zawadi");
    await page.setViewportSize(SIZES.phone);
    await open(page, `/login?redirect=%2Fapp&lng=${language}`);

    await enterByCode(page, gatehouse, email, text);
    await page.getByRole("textbox", { name: text("onboarding:question") }).fill("Zawadi");
    await page.getByRole("button", { name: text("onboarding:continue") }).click();

    await page
      .getByRole("heading", { name: text("app:home.greeting", { name: isolate("Zawadi") }) })
      .waitFor();
    await arrivesAt(page, "/app");
    await hydrated(page);
    await page.getByRole("button", { name: text("common:account.menu") }).click();
    await page.getByRole("button", { name: text("common:signOut") }).click();
    await page.getByText(text("common:signedOut")).waitFor();
    await page.goto("/app");
    await arrivesAt(page, "/login");
  });
}

withPasskeys("a passkey is added, and signs its user in", (title) =>
  test(title, async ({ page, visit, gatehouse }) => {
    await signInAs({ visit, gatehouse }, { name: "Neema" });
    await visit.addAuthenticator?.();
    await open(page, "/app/account");
    await page.getByRole("link", { name: "Add a passkey" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    const name = page.getByRole("textbox", { name: "Name of the passkey" });
    await name.fill("Blue phone");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The passkey has been renamed.").waitFor();

    // Otherwise the browser offers the passkey by itself, and the device takes every offer.
    await page.evaluate(() => localStorage.removeItem("passkey"));
    await page.getByRole("button", { name: "Your account" }).click();
    const menu = page.getByRole("group", { name: "Your account" });
    await menu.getByRole("button", { name: "Sign Out" }).click();
    await page.getByText("You have been signed out.").waitFor();
    await page.getByRole("button", { name: "Continue with a passkey" }).click();

    await arrivesAt(page, "/app");
    await page.getByRole("heading", { name: /^Hello, .?Neema/ }).waitFor();
  }),
);
