import type { Page } from "@playwright/test";
import { expect, test, watchesNetwork } from "../support/e2e.ts";

/** The notice of a page that is offline shows that its script has been loaded. */
async function expectWatched(page: Page): Promise<void> {
  await watchesNetwork(page);
  await page.context().setOffline(true);
  await expect(page.getByText("You are offline", { exact: false })).toBeVisible();
}

test("a page that lost its network script loads it again when online", async ({
  page,
  context,
}) => {
  await page.route("**/browser-notices-*.js", (route) => route.abort(), { times: 1 });
  const lost = page.waitForEvent("requestfailed");
  await page.goto("/login");
  await lost;
  await context.setOffline(true);
  await context.setOffline(false);

  await expectWatched(page);
});

test("a page that lost its network script loads it again although the browser never says that it is online", async ({
  page,
}) => {
  await page.clock.install();
  await page.route("**/browser-notices-*.js", (route) => route.abort(), { times: 2 });
  for (const pass of [() => page.goto("/login"), () => page.clock.fastForward(1_000)]) {
    const lost = page.waitForEvent("requestfailed");
    await pass();
    await lost;
  }
  await page.clock.fastForward(2_000);

  await expectWatched(page);
});
