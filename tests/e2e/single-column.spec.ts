import { expect, test } from "../support/e2e.ts";

for (const path of ["/manager/users/new", "/manager/account/picture", "/manager/account"]) {
  test(`a wide window has the screen in its middle (${path})`, async ({ signedIn }) => {
    const { page } = await signedIn({ role: "admin" }, { viewport: { width: 1920, height: 1000 } });
    await page.goto(path);
    const [before = 0, after = 0] = await page
      .getByRole("heading", { level: 1 })
      .evaluate((title) => {
        const main = title.closest("main")?.getBoundingClientRect();
        const column = title.closest("main > * > *")?.getBoundingClientRect();
        return main && column ? [column.left - main.left, main.right - column.right] : [];
      });

    expect(before).toBeGreaterThan(100);
    expect(Math.abs(before - after)).toBeLessThan(2);
  });
}
