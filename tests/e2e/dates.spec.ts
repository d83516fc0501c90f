import { dirname } from "node:path";
import type { BrowserContext } from "@playwright/test";
import { newBrowser } from "../support/client.ts";
import { expect, hydrated, test } from "../support/e2e.ts";
import { makeFound } from "../support/feature-tests.ts";
import { ANY_LANGUAGE } from "../support/matrix.ts";
import { anOrganization } from "../support/organizations.ts";
import { askForCode, aUser, newEmail } from "../support/people.ts";
import type { Gatehouse } from "../support/worker.ts";

const DAY_MS = 86_400_000;
const MARK = "‽";

/** Makes the browser's Intl write differently from the server's, as another ICU version does. */
async function withOtherIntl(context: BrowserContext): Promise<void> {
  const content = `
    for (const { prototype } of [Intl.DateTimeFormat, Intl.RelativeTimeFormat, Intl.NumberFormat, Intl.ListFormat]) {
      Object.defineProperty(prototype, "format", {
        value(...values) {
          return this.formatToParts(...values).map(({ value }) => value).join("") + "${MARK}";
        },
      });
    }
    Date.prototype.toLocaleString = Date.prototype.toLocaleDateString = () => "${MARK}";
  `;
  await context.addInitScript({ content });
}

/** Makes a user with every date that a screen can show. */
async function aUserWithDates(gatehouse: Gatehouse): Promise<string> {
  const user = await aUser(gatehouse);
  const due = Date.now() + 3 * DAY_MS;
  await gatehouse.d1
    .prepare("UPDATE user SET banned = 1, ban_expires = ?, deletion_due_at = ? WHERE id = ?")
    .bind(due, due, user.id)
    .run();
  return user.id;
}

for (const language of ANY_LANGUAGE) {
  test(`numbers and dates stay as the server wrote them when the browser formats differently (${language})`, async ({
    gatehouse,
    signedIn,
  }) => {
    const { page, context, user: self } = await signedIn({ role: "admin" }, { locale: language });
    await withOtherIntl(context);
    const user = await aUserWithDates(gatehouse);
    const { organization } = await anOrganization(
      gatehouse,
      { deletion_due_at: Date.now() + DAY_MS },
      { members: [self] },
    );
    const things = await makeFound(gatehouse, `dated ${process.pid}`);
    // Adds a row to the mail log.
    await askForCode(newBrowser(gatehouse), newEmail("dated"));

    for (const path of [
      "/manager/dashboard",
      "/manager/users?from=2020-01-01",
      `/manager/users/${user}`,
      "/manager/organizations",
      `/manager/organizations/${organization.id}`,
      ...things.flatMap(({ inManager, inApp }) => [inManager, inApp, dirname(inManager)]),
      "/manager/audit",
      "/manager/mail",
      "/manager/settings/system",
      "/manager/settings/security",
      "/manager/account",
      "/app",
    ]) {
      await page.goto(path);
      await hydrated(page);
      await expect(page.getByRole("main")).toContainText(/\d/);
      await expect(page.getByRole("main")).not.toContainText(MARK);
      await expect(page.getByRole("main").getByTitle(MARK)).toHaveCount(0);
    }
  });
}

test("a user's dates are in the visitor's time zone", async ({ gatehouse, signedIn }) => {
  const headers = { "MF-CF-Blob": JSON.stringify({ timezone: "Africa/Nairobi" }) };
  const { page } = await signedIn({ role: "admin" }, { extraHTTPHeaders: headers });
  const { id } = await aUser(gatehouse, { created_at: Date.UTC(2025, 2, 12, 22, 3) });
  await page.goto(`/manager/users/${id}`);
  await hydrated(page);

  const created = page.getByRole("time").filter({ hasText: /^13 Mar 2025, 01:03\s+\d+ \w+ ago$/ });
  await expect(created).toBeVisible();
});

// It is another day there than in UTC, at any time.
const farZone = new Date().getUTCHours() < 11 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati";

test.describe("in a far zone", () => {
  test.use({ timezoneId: farZone });

  test("the browser's zone decides the days of filters, once its scripts have told it", async ({
    signedIn,
  }) => {
    const { page, context } = await signedIn({ role: "admin" });
    await page.goto("/manager/users");
    await hydrated(page);
    await expect
      .poll(async () => (await context.cookies()).map(({ value }) => value))
      .toContain(farZone);
    await page.reload();
    await hydrated(page);

    const today = new Intl.DateTimeFormat("en-CA", { timeZone: farZone }).format(new Date());
    await page.getByRole("button", { name: "Filters" }).click();
    await expect(page.getByRole("link", { name: "Today" }).first()).toHaveAttribute(
      "href",
      new RegExp(`from=${today}`),
    );
  });
});
