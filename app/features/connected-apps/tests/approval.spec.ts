import { expect, hydrated, test, toast } from "../../../../tests/support/e2e.ts";
import { ANY_LANGUAGE } from "../../../../tests/support/matrix.ts";
import { makeProofOld } from "../../../../tests/support/sessions.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { anApproval } from "./approval-facts.ts";
import { anApp } from "./apps.ts";

for (const language of ANY_LANGUAGE) {
  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? "with" : "without";
    test(`a person approves the call of an app, ${how} JavaScript (${language})`, async ({
      signedIn,
      gatehouse,
    }) => {
      const t = translationsIn(language);
      const { page, user } = await signedIn({}, { locale: language, javaScriptEnabled });
      const app = await anApp(gatehouse, { name: "Assistant" });
      const id = await anApproval(gatehouse, app, user, { title: "gate 1" });

      await page.goto("/app");
      if (javaScriptEnabled) await hydrated(page);
      await page.getByRole("link", { name: "gate 1" }).click();
      await expect(
        page.getByRole("heading", { name: t("connected-apps:approval.title") }),
      ).toBeVisible();
      await page.getByRole("button", { name: t("connected-apps:approval.approve") }).click();

      await expect(toast(page, t("connected-apps:approval.approved"))).toBeVisible();
      const row = await gatehouse.d1
        .prepare("SELECT status FROM oauth_approval WHERE id = ?")
        .bind(id)
        .first("status");
      expect(row).toBe("approved");
    });
  }
}

test("a person whose proof is old is asked for one over the page", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const { page, user } = await signedIn();
  const app = await anApp(gatehouse, { name: "Assistant" });
  const id = await anApproval(gatehouse, app, user);
  await makeProofOld(gatehouse, user);

  await page.goto(`/app/account/apps/approvals/${id}`);
  await hydrated(page);
  await page.getByRole("button", { name: t("connected-apps:approval.approve") }).click();

  await expect(page.getByRole("dialog")).toBeVisible();
});
