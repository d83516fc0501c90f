import { expect, holdData, hydrated, test, toast } from "../../../../tests/support/e2e.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { isolate } from "../../../ui/text/isolate.ts";
import { manyRepositories, newName } from "../../repositories/tests/repositories.ts";

const t = translationsIn("en");

for (const hasScript of [true, false]) {
  const setting = `${hasScript ? "with" : "without"} JavaScript`;

  test(`a drawer finds repositories and shares them (${setting})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page, user } = await signedIn({}, { javaScriptEnabled: hasScript });
    const { organization } = await anOrganization(gatehouse, {}, { owner: user });
    // The list begins with the first names. The other test may leave its own to this organization.
    const word = hasScript ? "dromedary" : "bactrian";
    const [name, other] = [newName(`A ${word}`), newName("A camel")];
    await manyRepositories(gatehouse, [{ name }, { name: other }]);
    await page.goto(`/app/organizations/${organization.slug}/repositories`);

    const opener = page.getByRole("link", { name: t("organizations:repositories.share") });
    await opener.click();
    const drawer = page.getByRole("dialog", { name: t("organizations:repositories.share") });
    const rowOf = (text: string) => drawer.getByRole("listitem").filter({ hasText: text });
    await expect(rowOf(other)).toBeVisible();
    await drawer.getByRole("searchbox").fill(word);
    if (!hasScript) await page.keyboard.press("Enter");
    await expect(rowOf(other)).toHaveCount(0);
    await rowOf(name)
      .getByRole("button", { name: t("organizations:repositories.shareButton") })
      .click();
    await expect(toast(page, t("organizations:toast.shared"))).toBeVisible();
    await expect(rowOf(name)).toHaveCount(0);
    await expect(drawer.getByRole("searchbox")).toHaveValue(word);

    await expect(
      drawer.getByRole("status").filter({
        hasText: t("organizations:repositories.nothing", { searchTerm: isolate(word) }),
      }),
    ).toContainText(t("organizations:repositories.leftOut"));
    await drawer.getByRole("link", { name: t("common:list.clearSearch") }).click();
    await expect(rowOf(other)).toBeVisible();
    await expect(drawer.getByRole("searchbox")).toHaveValue("");
    if (hasScript) await expect(drawer.getByRole("searchbox")).toBeFocused();

    await drawer.getByRole("link", { name: t("common:actions.close") }).click();
    await expect(drawer).toHaveCount(0);
    await expect(page.getByRole("row").filter({ hasText: name })).toBeVisible();
    if (hasScript) await expect(opener).toBeFocused();
  });
}

test("a drawer that is closed right after a key of its search stays closed", async ({
  signedIn,
  gatehouse,
}) => {
  const { page, user } = await signedIn();
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  await page.goto(`/app/organizations/${organization.slug}/repositories?share`);
  await hydrated(page);
  await page.clock.install();
  const goOn = await holdData(page, `/app/organizations/${organization.slug}/repositories`);
  await page.getByRole("dialog").getByRole("searchbox").fill("a");
  // The first empties the search.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.clock.fastForward(1_000);

  goOn();

  await expect(page).toHaveURL(/\/repositories$/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
