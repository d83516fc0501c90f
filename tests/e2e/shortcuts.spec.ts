import { expect, signInAs, test } from "../support/e2e.ts";
import { openWithPalette } from "../support/palette.ts";

test("a slash moves to the list's search, except in a text field or with another key", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context);
  await openWithPalette(page, "/app/repositories");
  const search = page.getByRole("searchbox", { name: "Search..." });

  await page.keyboard.press("Alt+/");
  await page.keyboard.press("Control+/");
  await expect(search).not.toBeFocused();
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await expect(search).toHaveValue("");
  await page.keyboard.type("a/b?");
  await expect(search).toHaveValue("a/b?");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("a question mark lists the shortcuts, and single-key shortcuts can be turned off permanently", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context);
  const palette = await openWithPalette(page, "/app/repositories");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const singleKeys = list.getByRole("switch", { name: "Single-key shortcuts" });
  const search = page.getByRole("searchbox", { name: "Search..." });

  await page.keyboard.press("?");
  await expect(list.getByRole("heading", { name: "Keyboard shortcuts" })).toBeFocused();
  await expect(list.getByText("Search the list on the screen")).toBeVisible();
  for (const name of ["General", "Go to"]) {
    await expect(list.getByRole("heading", { name })).toBeVisible();
  }
  await expect(list.getByRole("definition")).toHaveText([
    ...["Ctrl+K", "/", "?", "J/orK", "X", "↑/or↓", "↵", "Esc"],
    ...["GthenH", "GthenR", "GthenO", "GthenA"],
  ]);
  await expect
    .poll(async () => {
      const { y = 0, height = 0 } = (await list.boundingBox()) ?? {};
      return Math.abs(y + height / 2 - (page.viewportSize()?.height ?? 0) / 2);
    })
    .toBeLessThanOrEqual(1);
  await expect(list.locator("#single-keys-hint kbd")).toHaveText(["/", "?", "J", "K", "X", "G"]);
  await singleKeys.click();
  await expect(singleKeys).not.toBeChecked();
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();

  for (const visitAgain of [false, true]) {
    if (visitAgain) await openWithPalette(page, "/app/repositories");
    await page.keyboard.press("?");
    await page.keyboard.press("/");
    await expect(search).not.toBeFocused();
    await expect(list).toBeHidden();
  }

  await page.keyboard.press("Control+K");
  await palette.field.fill("shortcuts");
  await page.keyboard.press("Enter");
  await expect(list.getByRole("heading", { name: "Keyboard shortcuts" })).toBeFocused();
  await singleKeys.click();
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
});

test("G and a letter open a screen, unless single-key shortcuts are off", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  await openWithPalette(page, "/manager/dashboard");

  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await expect(page).toHaveURL("/manager/users");
  await page.getByRole("searchbox").fill("g");
  await page.getByRole("searchbox").press("r");
  await expect(page.getByRole("searchbox")).toHaveValue("gr");

  await openWithPalette(page, "/manager/audit");
  await page.evaluate(() => localStorage.setItem("singleKeyShortcuts", "off"));
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await expect(page).toHaveURL("/manager/audit");
});
