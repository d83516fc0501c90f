import { expect, test } from "../support/e2e.ts";
import { startGatehouse } from "../support/worker.ts";

test("the last-resort error page shows and hides its details without scripts", async ({
  browser,
}) => {
  await using gatehouse = await startGatehouse();
  gatehouse.expectErrors("request.failed");
  const page = await browser.newPage({
    javaScriptEnabled: false,
    extraHTTPHeaders: { "x-d1-fault": "0 never" },
  });

  const response = await page.goto(`${gatehouse.origin}/app`);

  await expect(page.getByRole("heading", { name: "Something went wrong!" })).toBeVisible();
  const reference = page.getByText(`Reference: ${response?.headers()["x-request-id"]}`);
  await expect(reference).toBeHidden();
  await page.getByText("Show Error").click();
  await expect(reference).toBeVisible();
  await page.getByText("Hide Error").click();
  await expect(reference).toBeHidden();
  await page.close();
});
