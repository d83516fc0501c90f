import type { Locator } from "@playwright/test";
import { askForCode, expect, hydrated, signInAs, test } from "../support/e2e.ts";
import { aUser, newEmail } from "../support/people.ts";

/** Returns the style and width of an element's outline. */
function outlineOf(element: Locator): Promise<string> {
  return element.evaluate((one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return `${outlineStyle} ${outlineWidth}`;
  });
}

test("with forced colours the current page and a selected row are marked by lines", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const name = `forced ${process.pid}`;
  await aUser(gatehouse, { name });
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/manager/users");
  await hydrated(page);
  const navigation = page.getByRole("navigation");
  expect(await outlineOf(navigation.getByRole("link", { name: "Users" }))).toBe("solid 2px");
  expect(await outlineOf(navigation.getByRole("link", { name: "Organizations" }))).toContain(
    "none",
  );

  const row = page.getByRole("row", { name });
  expect(await outlineOf(row)).toContain("none");
  await row.getByRole("checkbox").check();
  expect(await outlineOf(row)).toBe("solid 2px");
});

test("with forced colours the code's active box is marked by a line", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await askForCode(page, newEmail());
  const field = page.getByLabel("6-digit code");
  await expect(field).toBeFocused();
  const boxes = page.locator("[aria-hidden=true][class=code-box]");
  expect(await outlineOf(boxes.first())).toBe("solid 2px");
  await field.pressSequentially("1");
  expect(await outlineOf(boxes.first())).toContain("none");
  expect(await outlineOf(boxes.nth(1))).toBe("solid 2px");
});
