import { expect, hydrated, SIZES, signInAs, test } from "../../../../tests/support/e2e.ts";
import { EACH_DIRECTION, matrix } from "../../../../tests/support/matrix.ts";
import { aUser, newEmail } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { openWithPalette, paletteOn } from "./palette.ts";

const en = translationsIn("en");

test("a failing search says so and can be tried again", async ({ context, page, gatehouse }) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const person = await aUser(gatehouse, { name: "Aardvark Person" });
  const palette = await openWithPalette(page, "/manager/dashboard");
  await page.route("**/_server/**", (route) => route.fulfill({ status: 429 }));

  await palette.button.click();
  await palette.field.fill("aardvark");
  await expect(page.getByRole("alert")).toHaveText(en("search:failed"));
  await page.unroute("**/_server/**");
  await page.getByRole("button", { name: "Retry" }).click();

  await expect(palette.option(person.name)).toBeVisible();
  await expect(page.getByRole("alert")).toBeHidden();
});

test("when its script or its translations cannot be loaded, the palette says so and can be tried again", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context);
  // Before the page opens, so that no request comes first.
  await page.route("**/assets/search-*.json", (route) => route.abort());
  const palette = await openWithPalette(page, "/app");

  await page.keyboard.press("Control+K");
  await expect(page.getByRole("alert").getByText("Something went wrong")).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Hello/ })).toBeVisible();
  await page.unroute("**/assets/search-*.json");
  await page.getByRole("button", { name: "Retry" }).click();

  await expect(palette.field).toBeFocused();
});

test("its script loads when it is first opened, and never for an anonymous visitor", async ({
  context,
  page,
  gatehouse,
}) => {
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  const isOfPalette = (path: string) => /\/search-/.test(path);
  for (const path of ["/login", `/login/verify?email=${newEmail()}`, "/nowhere"]) {
    await page.goto(path);
    await hydrated(page);
    await expect(paletteOn(page).button).toBeHidden();
    await page.keyboard.press("Control+K");
    await page.keyboard.press("?");
  }
  await signInAs(gatehouse, context);
  const palette = await openWithPalette(page, "/app");
  expect(fetched.filter(isOfPalette)).toEqual([]);

  await palette.button.click();
  await expect(palette.field).toBeFocused();
  expect(fetched.filter(isOfPalette).length).toBeGreaterThan(0);
});

for (const { area, language } of matrix({ area: ["manager", "app"], language: EACH_DIRECTION })) {
  test(`the search button has its full size before the scripts load (${area}, ${language})`, async ({
    signedIn,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn(
      { role: "admin" },
      { locale: language, viewport: SIZES.desktop },
    );
    const scripts = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto(area === "app" ? "/app" : "/manager/users", { waitUntil: "commit" });
    const { button } = paletteOn(page, t);

    await expect(button).toBeVisible();
    const before = await button.boundingBox();
    const text = button.getByText(t("common:palette.open"));
    const widths = await text.evaluate(({ scrollWidth, clientWidth }) => [
      scrollWidth,
      clientWidth,
    ]);
    expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
    scripts.resolve();
    await expect(button).toHaveAttribute("aria-keyshortcuts", /K/);
    expect(await button.boundingBox()).toEqual(before);
  });
}
