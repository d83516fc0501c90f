import { readFileSync } from "node:fs";
import { expect, hydrated, signInAs, test } from "../support/e2e.ts";

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "" : " without JavaScript";

  test(`a user downloads all their data${how}`, async ({ signedIn }) => {
    const { page, user } = await signedIn({}, { javaScriptEnabled });
    await page.goto("/app/account");
    if (javaScriptEnabled) await hydrated(page);

    const begun = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download your data" }).click();
    const download = await begun;

    expect(download.suggestedFilename()).toMatch(/^data-\d{4}-\d\d-\d\d\.json$/);
    const data = JSON.parse(readFileSync(await download.path(), "utf8"));
    expect(data).toMatchObject({ user: { email: user.email }, isComplete: true });
  });
}

test("a user whose sign-in is not fresh is asked for a code, then downloads", async ({
  page,
  gatehouse,
}) => {
  const { id, email } = await signInAs(gatehouse, page.context());
  await gatehouse.d1
    .prepare("UPDATE session SET created_at = created_at - 3600000 WHERE user_id = ?")
    .bind(id)
    .run();
  await page.goto("/app/account");
  await page.getByRole("link", { name: "Download your data" }).click();
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByLabel("Code").fill(await gatehouse.mailbox.codeFor(email));
  await expect(page.getByRole("heading", { name: "Your data" })).toBeVisible();

  const begun = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download your data" }).click();

  expect((await begun).suggestedFilename()).toContain("data-");
});
