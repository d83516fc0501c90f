import { ownPasskeySignedOut, signOut } from "../support/device-passkeys.ts";
import { confirmButton, expect, hydrated, test } from "../support/e2e.ts";
import { translationsIn } from "../support/translations.ts";

test("a browser that cannot encode passkeys as JSON adds one and signs in with it", async ({
  context,
  page,
  gatehouse,
}) => {
  // As in Safari before 18.4 and Chrome before 129.
  await context.addInitScript(() => {
    for (const name of ["parseCreationOptionsFromJSON", "parseRequestOptionsFromJSON"]) {
      Reflect.deleteProperty(PublicKeyCredential, name);
    }
    Reflect.deleteProperty(PublicKeyCredential.prototype, "toJSON");
  });
  await ownPasskeySignedOut(context, page, gatehouse);

  await page.goto("/login");
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(page).toHaveURL("/app");
});

test("a browser without passkeys shows no button for them, and nothing shifts", async ({
  context,
  page,
}) => {
  await context.addInitScript(() => {
    Reflect.deleteProperty(window, "PublicKeyCredential");
  });
  await page.goto("/login");
  await hydrated(page);
  await expect(page.getByRole("button", { name: "Continue with email" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Continue with a passkey" })).toHaveCount(0);
});

test("without JavaScript there is no button, and passkeys can still be renamed, and removed after a proof by one", async ({
  signedIn,
  gatehouse,
}) => {
  const { page, context, user } = await signedIn({}, { javaScriptEnabled: false });
  await gatehouse.d1
    .prepare(
      `INSERT INTO passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up, created_at)
       VALUES ('plain', 'Old phone', '', ?, 'plain', 0, 'singleDevice', 0, 1)`,
    )
    .bind(user.id)
    .run();
  await page.goto("/app/account");
  await expect(page.getByRole("link", { name: "Add a passkey" })).toHaveCount(0);
  await page.getByRole("link", { name: "Rename Old phone" }).click();
  await page.getByLabel("Name of the passkey").fill("Older phone");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Remove Older phone" }).click();
  await confirmButton(page.getByRole("alertdialog")).click();
  await expect(page.getByRole("heading", { name: "Confirm it's you" })).toBeVisible();
  // The tested browser does not render <noscript>.
  const withoutScript = await page.getByRole("main").locator("noscript").textContent();
  expect(withoutScript).toContain(translationsIn("en")("account:passkeys.unsupported"));

  await gatehouse.d1
    .prepare(
      `UPDATE session SET passkey_proved_at = unixepoch() * 1000, passkey_proved_by = 'plain' WHERE user_id = ?`,
    )
    .bind(user.id)
    .run();
  await page.goto("/app/account");
  await page.getByRole("button", { name: "Remove Older phone" }).click();
  await confirmButton(page.getByRole("alertdialog")).click();
  await expect(page.getByText("You have no passkeys yet.")).toBeVisible();

  await signOut(context);
  await page.goto("/login");
  await expect(page.getByRole("button", { name: "Continue with a passkey" })).toHaveCount(0);
});
