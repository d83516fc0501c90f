import { type BrowserContext, expect, type Page } from "@playwright/test";
import { newEmail } from "./people.ts";
import type { translationsIn } from "./translations.ts";

/** Asks for a code on the login screen and waits for the code's field. Returns the e-mail. */
export async function openCodeEntry(
  page: Page,
  t: ReturnType<typeof translationsIn>,
  email = newEmail(),
): Promise<string> {
  await page.goto("/login");
  await page.getByLabel(t("login:email")).fill(email);
  await page.getByRole("button", { name: t("login:withEmail") }).click();
  await expect(page.getByRole("heading", { name: t("login:verifyTitle") })).toBeVisible();
  return email;
}

export function alert(page: Page, text: string) {
  return page.getByRole("alert").filter({ hasText: text });
}

/** Counts the page's POST requests from now on. */
export function countPosts(page: Page): () => number {
  let posts = 0;
  page.on("request", (request) => {
    if (request.method() === "POST") posts += 1;
  });
  return () => posts;
}

/** Sets the time of this browser's last code to more than a minute ago. */
export async function waitOutCooldown(context: BrowserContext): Promise<void> {
  const [cookie] = (await context.cookies()).filter(({ name }) => name === "gatehouse.code-sent");
  if (!cookie) throw new Error("No code has been sent to this browser");
  const [, ...rest] = cookie.value.split(".");
  await context.addCookies([{ ...cookie, value: [Date.now() - 61_000, ...rest].join(".") }]);
}
