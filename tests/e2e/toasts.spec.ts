import { TOAST_KINDS } from "../../app/ui/toast-kinds.ts";
import { expect, hydrated, signInAs, test } from "../support/e2e.ts";
import { translationsIn } from "../support/translations.ts";

const text = translationsIn("en")("login:resent");

for (const kind of TOAST_KINDS) {
  test(`a toast of kind ${kind} is shown and disappears`, async ({ context, page, gatehouse }) => {
    const toast = { id: crypto.randomUUID(), kind, message: "login:resent" };
    await context.addCookies([
      {
        name: "gatehouse.toast",
        value: encodeURIComponent(JSON.stringify(toast)),
        url: gatehouse.origin,
      },
    ]);

    await page.clock.install();
    await page.goto("/login");

    const shown = page.getByRole("region", { name: "Messages" }).getByText(text);
    await expect(shown).toBeVisible();
    await page.clock.fastForward(10_000);
    await expect(shown).toBeHidden();
  });
}

test("a toast begins 8 px below the header", async ({ context, page, gatehouse }) => {
  await signInAs(gatehouse, context);
  const toast = { id: crypto.randomUUID(), kind: "info", message: "login:resent" };
  const value = encodeURIComponent(JSON.stringify(toast));
  await context.addCookies([{ name: "gatehouse.toast", value, url: gatehouse.origin }]);

  await page.goto("/app");
  await hydrated(page);

  const shown = page.getByRole("region", { name: /^Messages/ }).getByRole("listitem");
  await expect(shown).toBeVisible();
  const header = await page.getByRole("banner").boundingBox();
  const end = (header?.y ?? 0) + (header?.height ?? 0);
  await expect.poll(async () => (await shown.boundingBox())?.y).toBe(end + 8);
});
