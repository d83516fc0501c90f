import type { Page } from "@playwright/test";
import { saveAccess } from "../../../../tests/support/access-settings.ts";
import {
  confirmButton,
  expect,
  hydrated,
  SIZES,
  test,
  toast,
} from "../../../../tests/support/e2e.ts";
import { matrix } from "../../../../tests/support/matrix.ts";
import { anAdmin, newEmail } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { isolate } from "../../../ui/text/isolate.ts";

const LIST = "/manager/settings/waiting-list";

const SETTINGS = matrix(
  {
    language: ["en", "ar", "en"],
    size: ["desktop", "phone", "phone"],
    hasScript: [true, true, false],
  },
  1,
);

/** Takes the settings back, because the tests of a worker share its product. */
test.afterEach(async ({ gatehouse }) => {
  await gatehouse.d1.exec("UPDATE waiting_list_setting SET is_on = 0");
  const { browser } = await anAdmin(gatehouse);
  await saveAccess(gatehouse, browser);
});

for (const { language, size, hasScript } of SETTINGS) {
  const t = translationsIn(language);
  const options = { locale: language, viewport: SIZES[size], javaScriptEnabled: hasScript };
  const setting = `(${language}, ${size}, JavaScript ${hasScript ? "on" : "off"})`;

  test(`people ask for an account; one is approved and signs up, one is declined ${setting}`, async ({
    signedIn,
    newContext,
    gatehouse,
  }) => {
    const open = async (page: Page, path: string) => {
      await page.goto(path);
      if (hasScript) await hydrated(page);
    };
    const { browser: admin } = await anAdmin(gatehouse);
    await saveAccess(gatehouse, admin, { signUpMode: "invitation" });
    const { page } = await signedIn({ role: "admin" }, options);
    await open(page, LIST);
    await page.getByRole("button", { name: t("waiting-list:switch.switchOn") }).click();
    await expect(toast(page, t("waiting-list:switch.on"))).toBeVisible();

    const context = await newContext(options);
    const visitor = await context.newPage();
    const [approved, declined] = [newEmail("approved"), newEmail("declined")];
    for (const email of [approved, declined]) {
      await open(visitor, "/login");
      await visitor.getByRole("link", { name: t("login:waitingList.join") }).click();
      await expect(visitor.getByRole("heading", { name: t("waiting-list:title") })).toBeVisible();
      await visitor.getByLabel(t("login:email")).fill(email);
      await visitor.getByRole("button", { name: t("login:waitingList.join") }).click();
      const thanks = visitor.getByRole("heading", { name: t("waiting-list:join.sentTitle") });
      await expect(thanks).toBeVisible();
      await expect(visitor.getByText(t("waiting-list:join.sent", { email }))).toBeVisible();
    }

    for (const [email, action, done] of [
      [approved, "approve", "approvedDone"],
      [declined, "decline", "declinedDone"],
    ] as const) {
      await open(page, `${LIST}?searchTerm=${email}`);
      const name = t(`waiting-list:${action}`);
      const decide = page.getByRole("button", { name, exact: true }).filter({ visible: true });
      const menu = page.getByRole("button", { name: t("common:list.rowActions", { name: email }) });
      // A phone's card shows the button too.
      if (hasScript && action === "approve") {
        const labelled = t("common:labelled", { label: name, value: isolate(email) });
        await page.getByRole("button", { name: labelled }).click();
      } else {
        if (hasScript) await menu.click();
        else await page.getByRole("checkbox", { name: email }).check();
        await decide.click();
      }
      // Only a refusal is asked about.
      if (action === "decline") {
        await confirmButton(page.getByRole("alertdialog")).click();
      }
      await expect(page.locator('section[role="status"]')).toContainText(
        t(`waiting-list:${done}`, { count: 1 }),
      );
    }
    // The declined person gets no code, and the answer does not say so.
    const link = /https?:\S+\/login\?email=\S+/.exec(
      (await gatehouse.mailbox.mailFor(approved)).text,
    );
    for (const path of [`/login?email=${declined}`, new URL(link?.[0] ?? "").href]) {
      await open(visitor, path);
      await visitor.getByRole("button", { name: t("login:withEmail") }).click();
      await expect(visitor.getByRole("heading", { name: t("login:verifyTitle") })).toBeVisible();
    }
    await visitor.getByLabel(t("login:code")).fill(await gatehouse.mailbox.codeFor(approved));
    if (!hasScript) await visitor.getByRole("button", { name: t("login:confirm") }).click();
    await expect(visitor).toHaveURL(/\/onboarding/);
    expect(gatehouse.mailbox.mails.filter(({ to, code }) => to === declined && code)).toEqual([]);
    await open(page, `${LIST}?state=approved&searchTerm=${approved}`);
    await expect(page.getByRole("checkbox", { name: approved })).toBeHidden();
  });
}
