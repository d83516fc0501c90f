import { LANGUAGES } from "../../app/i18n/languages.ts";
import { expect, hydrated, signInAs, test } from "../support/e2e.ts";
import { ANY_LANGUAGE } from "../support/matrix.ts";
import { translationsIn } from "../support/translations.ts";
import type { Gatehouse } from "../support/worker.ts";

/** Renames the session table for a while, so that every signed-in page fails. */
async function breakDatabase(gatehouse: Gatehouse, logged = "request.failed") {
  gatehouse.expectErrors(logged);
  await gatehouse.d1.exec("ALTER TABLE session RENAME TO session_away");
  return {
    mend: () => gatehouse.d1.exec("ALTER TABLE session_away RENAME TO session"),
  };
}

for (const language of ANY_LANGUAGE) {
  test(`a failing page offers another try, which works once the cause is fixed (${language})`, async ({
    signedIn,
    gatehouse,
    expectProblem,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn({}, { locale: language });
    await page.goto("/login/error");
    await page.goto("/app");
    const database = await breakDatabase(gatehouse);
    try {
      expectProblem("500 /app");
      const response = await page.reload();
      expect(response?.status()).toBe(500);
      await hydrated(page);
      await expect(page.getByRole("heading", { name: t("common:errors.generic") })).toBeVisible();
      await expect(page.getByText(t("common:errors.failed"))).toBeVisible();
      await expect(page.getByRole("main")).not.toContainText("session");
      await expect(page.locator("html")).toHaveAttribute("lang", language);

      const retry = page.getByRole("link", { name: t("common:actions.tryAgain") });
      expectProblem("500 /app.data");
      await retry.click();
      await expect(retry).toHaveAttribute("aria-busy", "true");
      await expect(retry).not.toHaveAttribute("aria-busy");
      await expect(page.getByRole("heading", { name: t("common:errors.generic") })).toBeVisible();
    } finally {
      await database.mend();
    }
    const started = Date.now();
    await page.getByRole("link", { name: t("common:actions.tryAgain") }).click();
    await expect(page.getByRole("button", { name: t("common:account.menu") })).toBeVisible();
    expect(Date.now() - started).toBeGreaterThan(550);
    await expect(page).toHaveURL("/app");
  });
}

test("on a failing page, Back leads to the previous page and Home to the start", async ({
  context,
  page,
  gatehouse,
  expectProblem,
}) => {
  await signInAs(gatehouse, context);
  await page.goto("/app/organizations");
  await page.goto("/nowhere");
  await hydrated(page);
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page).toHaveURL("/app/organizations");

  const database = await breakDatabase(gatehouse);
  try {
    expectProblem("500 /app");
    await page.goto("/app");
    await hydrated(page);
    await expect(page.getByRole("heading", { name: "ERROR" })).toBeVisible();
    const ways = [
      page.getByRole("link", { name: "Try Again" }),
      page.getByRole("button", { name: "Back" }),
      page.getByRole("link", { name: "Home" }),
    ];
    const boxes = await Promise.all(ways.map((way) => way.boundingBox()));
    expect(boxes.map((box) => box?.height)).toEqual([44, 44, 44]);
  } finally {
    await database.mend();
  }
  await page.getByRole("link", { name: "Home" }).click();
  await expect(page).toHaveURL("/app");
  await expect(page.getByRole("button", { name: "Your account" })).toBeVisible();
});

test("a failing client-side navigation shows the same page", async ({
  context,
  page,
  gatehouse,
  expectProblem,
}) => {
  await signInAs(gatehouse, context);
  await page.goto("/app");
  await hydrated(page);
  const database = await breakDatabase(gatehouse);
  try {
    expectProblem("500 /app/organizations.data");
    await page.getByRole("link", { name: "Organizations", exact: true }).click();
    await expect(page.getByRole("heading", { name: "ERROR" })).toBeVisible();
    await expect(page).toHaveTitle("ERROR · Gatehouse");
  } finally {
    await database.mend();
  }
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(page).toHaveURL("/app/organizations");
  await expect(page.getByRole("heading", { name: "Organizations" })).toBeVisible();
});

test("without JavaScript Try Again is a link to the same page, and there is no Back", async ({
  signedIn,
  gatehouse,
  expectProblem,
}) => {
  const { page } = await signedIn({}, { javaScriptEnabled: false });
  const database = await breakDatabase(gatehouse);
  try {
    expectProblem("500 /app");
    await page.goto("/app");
    await expect(page.getByRole("button", { name: "Back" })).toBeHidden();
  } finally {
    await database.mend();
  }
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(page.getByRole("button", { name: "Your account" })).toBeVisible();
});

test("the login screen works without the database, in every language", async ({
  signedIn,
  gatehouse,
}) => {
  const { page } = await signedIn();
  const database = await breakDatabase(gatehouse, "session.not_found");
  try {
    for (const language of LANGUAGES) {
      await page.goto(`/login?lng=${language}`);
      const t = translationsIn(language);
      await expect(page.getByRole("heading", { name: t("login:titleWithSignUp") })).toBeVisible();
    }
  } finally {
    await database.mend();
  }
});
