import { expect, signInAs, test } from "../../../../tests/support/e2e.ts";
import { openWithPalette } from "./palette.ts";

test("a slash moves to the list's search, except in a text field or with another key", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  await openWithPalette(page, "/manager/users");
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

test("a question mark lists the shortcuts, and so does the palette", async ({ signedIn }) => {
  const { page } = await signedIn({ role: "admin" });
  const palette = await openWithPalette(page, "/manager/users");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });

  await page.keyboard.press("?");
  await expect(list.getByRole("heading", { name: "Keyboard shortcuts" })).toBeFocused();
  await expect(list.getByText("Search the list on the screen")).toBeVisible();
  await expect(list.getByRole("definition")).toHaveText(["Ctrl+K", "/", "?", "↑/or↓", "↵", "Esc"]);
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();

  await page.keyboard.press("Control+K");
  await palette.field.fill("shortcuts");
  await page.keyboard.press("Enter");
  await expect(list.getByRole("heading", { name: "Keyboard shortcuts" })).toBeFocused();
});
