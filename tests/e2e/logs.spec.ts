import { isolate } from "../../app/ui/isolate.ts";
import { newBrowser } from "../support/client.ts";
import { expect, hydrated, SIZES, test, toast } from "../support/e2e.ts";
import { matrix } from "../support/matrix.ts";
import { askForCode, aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import type { Gatehouse } from "../support/worker.ts";

const VISITS = matrix({
  language: ["en", "ar"],
  size: ["desktop", "phone"],
  javaScriptEnabled: [true, false],
});

/** Makes a mail that the provider has refused for good. */
async function aFailedMail(gatehouse: Gatehouse): Promise<string> {
  gatehouse.expectErrors("mail.failed");
  const email = newEmail("refused");
  gatehouse.mailbox.answerNext({
    status: 422,
    body: { statusCode: 422, name: "validation_error", message: "Not now" },
  });
  await askForCode(newBrowser(gatehouse), email);
  await expect
    .poll(() =>
      gatehouse.d1
        .prepare("SELECT state FROM mail_outbox WHERE recipient = ?")
        .bind(email)
        .first<string>("state"),
    )
    .toBe("failed");
  return email;
}

for (const { language, size, javaScriptEnabled } of VISITS) {
  const how = `${language}, ${size}, ${javaScriptEnabled ? "with" : "without"} JavaScript`;
  const t = translationsIn(language);
  const options = { locale: language, viewport: SIZES[size], javaScriptEnabled };

  test(`a manager goes from a figure to its list, and from a user to their events (${how})`, async ({
    gatehouse,
    signedIn,
  }) => {
    const { page } = await signedIn({ role: "admin" }, options);
    const person = await aUser(gatehouse, { name: "ليلى Zawadi" });

    await page.goto("/manager/dashboard");
    if (javaScriptEnabled) await hydrated(page);
    await page
      .getByRole("link", { name: t("manager:dashboard.newIn7Days", { change: "" }).trim() })
      .click();
    await expect(page).toHaveURL(/\/manager\/users\?from=\d{4}-\d\d-\d\d$/);
    await page.getByRole("link", { name: person.name }).first().click();
    await page.getByRole("link", { name: t("users:history.by") }).click();

    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("logs:audit.title"));
    const rows = page.getByRole("row").filter({ hasText: t("events:user.created") });
    await expect(rows).toHaveCount(1);
    await expect(rows.getByRole("link", { name: person.name }).first()).toBeVisible();
    const filters = page.getByRole("form", { name: t("common:list.filters") });
    const filter = `${t("logs:audit.who")}: ${isolate(person.name)}`;
    await filters
      .getByRole("link", { name: t("common:list.removeFilter", { name: filter }) })
      .click();
    await expect(page).toHaveURL(/\/manager\/audit$/);

    // An e-mail filters only when typed whole; it applies when the field loses focus, or with the button.
    const who = filters.getByRole("textbox", { name: t("logs:audit.who"), exact: true });
    await who.fill(person.email);
    await who.press("Enter");
    await expect(page).toHaveURL(new RegExp(`actor=${encodeURIComponent(person.email)}`));
    await expect(filters.getByText(person.name)).toBeVisible();
    await expect(rows).toHaveCount(1);
  });

  test(`a manager sends a failed mail again (${how})`, async ({ gatehouse, signedIn }) => {
    const { page } = await signedIn({ role: "admin" }, options);
    const email = await aFailedMail(gatehouse);

    await page.goto("/manager/mail?state=failed");
    if (javaScriptEnabled) await hydrated(page);
    const row = page.getByRole("row").filter({ hasText: email });
    await expect(row).toContainText(t("logs:mail.kinds.login-code"));
    await row.getByRole("button", { name: t("logs:mail.sendAgain") }).click();

    await expect(toast(page, t("logs:mail.toast.retried")).first()).toBeVisible();
    expect((await gatehouse.mailbox.mailFor(email)).code).toMatch(/^\d{6}$/);
    await page.goto(`/manager/mail?searchTerm=${email}`);
    await expect(page.getByRole("row").filter({ hasText: email })).toContainText(
      t("logs:mail.states.sent"),
    );
  });
}
