import { TOAST_KINDS } from "../../app/ui/toast-kinds.ts";
import { expect, test } from "../support/e2e.ts";
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
