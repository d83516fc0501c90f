import { expect, signInAs, test } from "../support/e2e.ts";

const SILENT = "The database does not answer right now";

for (const javaScriptEnabled of [true, false]) {
  test(`a page that the database did not answer comes back by itself, ${javaScriptEnabled ? "with" : "without"} scripts`, async ({
    newContext,
    newGatehouse,
    expectProblem,
  }) => {
    const gatehouse = await newGatehouse({});
    gatehouse.tolerateErrors();
    const context = await newContext({ baseURL: gatehouse.origin, javaScriptEnabled });
    await signInAs(gatehouse, context, { name: "Zuri" });
    const page = await context.newPage();
    await gatehouse.setWeather("down");
    expectProblem("503 /app");

    await page.goto("/app");
    await expect(page.getByRole("heading", { name: SILENT })).toBeVisible();
    await gatehouse.setWeather(undefined);

    await expect(page.getByRole("heading", { name: /^Hello/ })).toBeVisible({
      timeout: 60_000,
    });
    await expect(page).toHaveURL("/app");
  });
}

test("a link to a page that the database does not answer says so, and shows the page later", async ({
  newContext,
  newGatehouse,
  expectProblem,
}) => {
  const gatehouse = await newGatehouse({});
  gatehouse.tolerateErrors();
  const context = await newContext({ baseURL: gatehouse.origin });
  await signInAs(gatehouse, context);
  const page = await context.newPage();
  await page.goto("/app");
  await gatehouse.setWeather("down");
  expectProblem("503 /app/organizations.data");

  await page.getByRole("link", { name: "Organizations" }).first().click();
  await expect(page.getByRole("heading", { name: SILENT })).toBeVisible({ timeout: 60_000 });
  await gatehouse.setWeather(undefined);

  await expect(page.getByRole("heading", { name: "Organizations", level: 1 })).toBeVisible({
    timeout: 60_000,
  });
});

test("a form that the database does not answer keeps what was typed, and is saved when it is sent again", async ({
  newContext,
  newGatehouse,
  expectProblem,
}) => {
  const gatehouse = await newGatehouse({});
  gatehouse.tolerateErrors();
  const context = await newContext({ baseURL: gatehouse.origin });
  await signInAs(gatehouse, context, { name: "Zuri" });
  const page = await context.newPage();
  await page.goto("/app/account?state=change-name");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Zuri Wanjiku");
  await gatehouse.setWeather("down");
  expectProblem("503 /app/account.data");

  await page.getByRole("button", { name: "Save" }).click();

  await expect(page.getByText(`${SILENT}. What you typed is still in the form`)).toBeVisible({
    timeout: 60_000,
  });
  await expect(name).toHaveValue("Zuri Wanjiku");
  await gatehouse.setWeather(undefined);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL("/app/account");
  await expect(page.getByText("Zuri Wanjiku").filter({ visible: true }).first()).toBeVisible();
});

test("a form without scripts is posted back, and a person sends it again", async ({
  newContext,
  newGatehouse,
  expectProblem,
}) => {
  const gatehouse = await newGatehouse({});
  gatehouse.tolerateErrors();
  const context = await newContext({ baseURL: gatehouse.origin, javaScriptEnabled: false });
  await signInAs(gatehouse, context, { name: "Zuri" });
  const page = await context.newPage();
  await page.goto("/app/account?state=change-name");
  await page.getByLabel("Name", { exact: true }).fill("Zuri Wanjiku");
  await gatehouse.setWeather("down");
  expectProblem("503 /app/account");

  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: SILENT })).toBeVisible();
  await gatehouse.setWeather(undefined);
  await page.getByRole("button", { name: "Send Again" }).click();

  await expect(page).toHaveURL("/app/account");
  await expect(page.getByText("Zuri Wanjiku").filter({ visible: true }).first()).toBeVisible();
});
