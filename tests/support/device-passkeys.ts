import type { BrowserContext, Page } from "@playwright/test";
import { expect, hydrated, signInAs } from "./e2e.ts";
import type { Gatehouse } from "./worker.ts";

/** Adds a virtual authenticator that holds passkeys and verifies its user by itself. */
export async function withAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { devtools, authenticatorId };
}

export async function addPasskey(page: Page): Promise<void> {
  await page.goto("/app/account");
  await hydrated(page);
  await page.getByRole("link", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("dialog", { name: "Name your passkey" })).toBeVisible();
}

/** Forgets that a passkey was used in this browser: it offers none by itself, and the device accepts every offer. */
export async function forgetPasskey(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.removeItem("passkey"));
}

export async function signOut(context: BrowserContext): Promise<void> {
  await context.clearCookies({ name: "gatehouse.session_token" });
}

/** Makes a user with a passkey on a device, signed out, in a browser that has not used it; returns the device. */
export async function ownPasskeySignedOut(
  context: BrowserContext,
  page: Page,
  gatehouse: Gatehouse,
) {
  await signInAs(gatehouse, context);
  const device = await withAuthenticator(page);
  await addPasskey(page);
  await forgetPasskey(page);
  await signOut(context);
  return device;
}
