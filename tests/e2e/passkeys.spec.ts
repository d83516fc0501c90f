import type { CDPSession, Route } from "@playwright/test";
import {
  addPasskey,
  forgetPasskey,
  ownPasskeySignedOut,
  signOut,
  withAuthenticator,
} from "../support/device-passkeys.ts";
import { expect, hydrated, SIZES, signInAs, test, toast } from "../support/e2e.ts";
import { inTurn, matrix } from "../support/matrix.ts";
import { translationsIn } from "../support/translations.ts";

/** Makes the device refuse, or accept. */
async function setVerified(
  { devtools, authenticatorId }: { devtools: CDPSession; authenticatorId: string },
  isUserVerified: boolean,
): Promise<void> {
  await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
}

test("a passkey is added, named, renamed, signs in and is removed", async ({
  context,
  page,
  gatehouse,
}) => {
  const user = await signInAs(gatehouse, context, { name: "Neema" });
  await withAuthenticator(page);
  await addPasskey(page);
  const name = page.getByLabel("Name of the passkey");
  await expect(name).not.toHaveValue("");
  await expect(page.getByRole("link", { name: "Skip", exact: true })).toBeVisible();
  await name.fill("Blue phone");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(toast(page, "The passkey has been renamed.")).toBeVisible();
  const row = page.getByRole("listitem").filter({ hasText: "Blue phone" });
  await expect(row).toContainText("Not used yet");

  await row.getByRole("link", { name: "Rename Blue phone" }).click();
  await expect(page.getByRole("dialog").getByRole("link", { name: "Cancel" })).toBeVisible();
  await name.fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Name is required" })).toBeVisible();
  await name.fill("Green phone");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Green phone" })).toBeVisible();

  await forgetPasskey(page);
  await signOut(context);
  await page.goto("/login?redirect=%2Fapp%2Forganizations");
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(page).toHaveURL("/app/organizations");

  await gatehouse.d1
    .prepare("UPDATE session SET created_at = ? WHERE user_id = ?")
    .bind(Date.now() - 16 * 60_000, user.id)
    .run();
  await page.goto("/app/account");
  await hydrated(page);
  const used = page.getByRole("listitem").filter({ hasText: "Green phone" });
  await expect(used).toContainText("Last used");
  await used.getByRole("button", { name: "Remove Green phone" }).click();
  const confirm = page.getByRole("alertdialog").getByRole("button", { name: "Remove" });
  await confirm.click();
  await expect(page.getByRole("heading", { name: "Confirm it's you" })).toBeVisible();
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page
    .getByLabel("6-digit code")
    .pressSequentially(await gatehouse.mailbox.codeFor(user.email));
  await expect(page).toHaveURL("/app/account");
  await expect(toast(page, "The passkey has been removed.")).toBeVisible();
  await expect(page.getByText("You have no passkeys yet.")).toBeVisible();
});

for (const { language, size } of matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
  },
  1,
)) {
  test(`the button signs in, ${language} on a ${size}`, async ({ signedIn }) => {
    const t = translationsIn(language);
    const { page, context } = await signedIn({}, { viewport: SIZES[size], locale: language });
    await withAuthenticator(page);
    await page.goto("/app/account");
    await hydrated(page);
    await page.getByRole("link", { name: t("account:passkeys.add") }).click();
    await page.getByRole("button", { name: t("account:passkeys.continue") }).click();
    await expect(page.getByRole("dialog", { name: t("account:passkeys.nameTitle") })).toBeVisible();
    await forgetPasskey(page);
    await signOut(context);

    await page.goto("/login");
    await page.getByRole("button", { name: t("login:withPasskey") }).click();
    await expect(page).toHaveURL("/app");
  });
}

for (const refusal of inTurn(["NotSupportedError", "SecurityError", "NotAllowedError"], 0)) {
  test(`a browser that refuses suggestions with ${refusal} is asked once and shows nothing`, async ({
    page,
  }) => {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/passkey/generate-authenticate-options"))
        asked.push(request.url());
    });
    await page.addInitScript((name) => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => true;
      navigator.credentials.get = async () => {
        throw new DOMException("refused", name);
      };
    }, refusal);
    await page.goto("/login");
    const field = page.getByRole("textbox", { name: "Email" });
    const answered = page.waitForResponse(/generate-authenticate-options/);

    await field.pressSequentially("a");
    await answered;
    await field.pressSequentially("mina.yusuf@office.example");

    await expect(field).toHaveValue("amina.yusuf@office.example");
    await expect(page.getByRole("alert").filter({ hasText: /./ })).toHaveCount(0);
    expect(asked).toHaveLength(1);
  });
}

test("a passkey from the field's suggestions signs in", async ({ context, page, gatehouse }) => {
  await ownPasskeySignedOut(context, page, gatehouse);

  await page.goto("/login");
  await hydrated(page);
  // The virtual device accepts the suggestion by itself.
  await page.getByLabel("Email").click();
  await expect(page).toHaveURL("/app");
});

test("the button signs in while the suggestions still wait for their challenge", async ({
  context,
  page,
  gatehouse,
}) => {
  await ownPasskeySignedOut(context, page, gatehouse);

  const asked = Promise.withResolvers<Route>();
  await page.route("**/generate-authenticate-options", asked.resolve, { times: 1 });
  await page.goto("/login");
  await hydrated(page);
  await page.getByLabel("Email").click();
  const held = await asked.promise;
  // The held challenge arrives between the button's challenge and the device's answer to it.
  await page.route("**/verify-authentication", async (route) => {
    await held.continue();
    await held.request().response();
    await route.continue();
  });
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(page).toHaveURL("/app");
});

test("a browser that has used a passkey offers it without touching the field", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context);
  await withAuthenticator(page);
  await addPasskey(page);
  await signOut(context);

  await page.goto("/login");
  await expect(page).toHaveURL("/app");
});

test("the field sends no request until it is used", async ({ page }) => {
  await withAuthenticator(page);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/passkey")) asked.push(new URL(request.url()).pathname);
  });
  await page.goto("/login");
  await expect(page.getByRole("button", { name: "Continue with a passkey" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(asked).toEqual([]);
});

test("a device that refuses changes nothing, and keeps the focus", async ({
  context,
  page,
  gatehouse,
}) => {
  const device = await ownPasskeySignedOut(context, page, gatehouse);
  await setVerified(device, false);

  await page.goto("/login");
  await hydrated(page);
  const button = page.getByRole("button", { name: "Continue with a passkey" });
  const answered = page.waitForResponse(/generate-authenticate-options/);
  await button.click();
  await answered;
  await expect(button).not.toHaveAttribute("aria-busy");
  await expect(button).toBeFocused();
  await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toHaveCount(0);
  await expect(page).toHaveURL("/login");

  await setVerified(device, true);
  await button.click();
  await expect(page).toHaveURL("/app");
});

test("a removed passkey is refused with a message", async ({ context, page, gatehouse }) => {
  const user = await signInAs(gatehouse, context);
  await withAuthenticator(page);
  await addPasskey(page);
  await gatehouse.d1.prepare("DELETE FROM passkey WHERE user_id = ?").bind(user.id).run();
  await forgetPasskey(page);
  await signOut(context);

  await page.goto("/login");
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "This passkey does not open any account here." }),
  ).toBeVisible();
});

test("a banned user sees the reason", async ({ context, page, gatehouse }) => {
  const user = await signInAs(gatehouse, context);
  await withAuthenticator(page);
  await addPasskey(page);
  await forgetPasskey(page);
  await gatehouse.d1
    .prepare("UPDATE user SET banned = 1, ban_reason = 'Sold tickets twice.' WHERE id = ?")
    .bind(user.id)
    .run();

  await page.goto("/login");
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(page).toHaveURL("/login/error?error=BANNED_USER");
  await expect(page.getByText("Sold tickets twice.")).toBeVisible();
});

test("a second passkey on the same device is refused with a message", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context);
  await withAuthenticator(page);
  await addPasskey(page);
  await page.goto("/app/account?state=add-passkey");
  await hydrated(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "Your account already has a passkey there" }),
  ).toBeVisible();
});
