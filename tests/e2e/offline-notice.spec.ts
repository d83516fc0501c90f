import type { Locator, Page } from "@playwright/test";
import { expect, hydrated, SIZES, test, watchesNetwork } from "../support/e2e.ts";
import { translationsIn } from "../support/translations.ts";

const NOT_SENT = translationsIn("en")("common:network.notSent");

/** Sends the form of a drawer without network. Returns the drawer. */
async function sendOffline(page: Page): Promise<Locator> {
  await page.goto("/app/account?state=change-name");
  await hydrated(page);
  await watchesNetwork(page);
  await page.context().setOffline(true);
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("button", { name: "Save" }).click();
  return drawer;
}

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`on the sign-in page the offline notice covers no control (${size})`, async ({
    newContext,
  }) => {
    const t = translationsIn("ar");
    const context = await newContext({ locale: "ar", viewport });
    const page = await context.newPage();
    await page.goto("/login");
    await hydrated(page);
    await watchesNetwork(page);
    await context.setOffline(true);
    const notice = await page.getByText(t("common:network.offline")).boundingBox();
    for (const control of await page.locator("a, input, button:not([popover] *)").all()) {
      const box = await control.boundingBox();
      if (!box || !notice) continue;
      const isBeside = box.y >= notice.y + notice.height || box.y + box.height <= notice.y;
      expect(isBeside, await control.evaluate((element) => element.outerHTML)).toBe(true);
    }
  });
}

test("over a drawer that leaves no room above it, the notice stays in the window", async ({
  signedIn,
}) => {
  const { page } = await signedIn({}, { viewport: { width: 700, height: 260 } });
  await sendOffline(page);
  await expect(page.getByText(NOT_SENT)).toBeInViewport({ ratio: 1 });
});

test("in a wide window the notice is as wide as the drawer below it", async ({ signedIn }) => {
  const { page } = await signedIn({});
  const drawer = await sendOffline(page);
  const text = page.getByText(NOT_SENT);
  const edgesOf = async (element: Locator) => {
    const box = await element.boundingBox();
    return [box?.x, box?.width];
  };

  await expect(text).toBeVisible();
  expect(await edgesOf(text.locator(".."))).toEqual(await edgesOf(drawer));
});
