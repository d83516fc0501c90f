import { findViolations } from "../support/axe.ts";
import { newBrowser } from "../support/client.ts";
import { expect, hydrated, SIZES, signInAs, test, toast } from "../support/e2e.ts";
import { aWordMark, logoDrawn } from "../support/logos.ts";
import { ANY_LANGUAGE } from "../support/matrix.ts";
import { anOrganization } from "../support/organizations.ts";
import { askForCode, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const BRAND = "/manager/settings/brand";

test("a transparent word mark stays wide and transparent on the brand's pages and in its mails", async ({
  newGatehouse,
  newContext,
}) => {
  const site = await newGatehouse({ mail: "local" });
  const context = await newContext({ baseURL: site.origin });
  await signInAs(site, context, { role: "admin" });
  const page = await context.newPage();
  await page.goto(BRAND);
  await hydrated(page);
  await page.getByLabel("Product name").fill("Acme Cloud Platform of the North");
  for (const [theme, ink] of [
    ["light", "#7a2e85"],
    ["dark", "#f0c9f5"],
  ] as const) {
    const field = page.getByLabel(`Logo for the ${theme} theme`);
    await field.setInputFiles(await aWordMark(page, ink));
    // The browser has prepared the whole picture, in its shape.
    await expect(page.getByRole("button", { name: "Do not use this file" })).toHaveCount(
      theme === "light" ? 1 : 2,
    );
  }
  // What was typed before a picture was chosen is still there, and all of it is one save.
  await expect(page.getByLabel("Product name")).toHaveValue("Acme Cloud Platform of the North");
  await page.getByRole("radio", { name: "Teal" }).check();
  await expect(page.getByText("Unsaved changes")).toBeVisible();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(toast(page, "Settings saved.")).toBeVisible();

  // The shell follows without a reload: its logo, accent, title and icons.
  await expect(page.locator("aside img:visible").first()).toHaveAttribute("src", /^\/brand\//);
  await expect(page).toHaveTitle(/Acme Cloud Platform of the North$/);
  await expect(page.locator("html")).toHaveCSS("--color-accent", "#008573");
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute("href", /^\/brand\//);
  const manifest = await (await page.request.get("/manifest.webmanifest")).json();
  expect(
    manifest.icons.map(({ sizes, type }: Record<string, string>) => `${sizes} ${type}`),
  ).toEqual(["192x192 image/png", "512x512 image/png", "512x512 image/png"]);

  for (const colorScheme of ["light", "dark"] as const) {
    const visitor = await (await newContext({ baseURL: site.origin, colorScheme })).newPage();
    await visitor.goto("/login");
    const logo = visitor.locator("img:visible").first();
    expect(await logoDrawn(logo)).toEqual({ type: "image/png", size: "512 × 114", corner: 0 });
    const box = await logo.boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(512 / 114, 1);
  }

  await askForCode(newBrowser(site), newEmail());
  await page.goto("/dev/inbox");
  const mail = page.frameLocator("iframe").first();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // A mail has the logos of both themes.
    const logo = mail.locator("img:visible");
    await expect(logo).toHaveJSProperty("naturalWidth", 512);
    await expect(logo).toHaveJSProperty("width", 144);
  }
});

test("an organization's word mark is shown whole, and without its initials", async ({
  page,
  gatehouse,
}) => {
  const owner = await signInAs(gatehouse, page.context());
  const { organization } = await anOrganization(gatehouse, { name: "Acme" }, { owner });
  await page.setViewportSize(SIZES.phone);
  await page.goto(`/app/organizations/${organization.slug}/logo`);
  await hydrated(page);
  await page.getByLabel("Choose a logo").setInputFiles(await aWordMark(page, "#7a2e85"));
  await page.getByRole("button", { name: "Save logo" }).click();

  await expect(toast(page, "The logo has been changed.")).toBeVisible();
  const logo = page.getByRole("main").locator(".avatar-square img").first();
  await expect(logo).toHaveCSS("object-fit", "contain");
  expect(await logoDrawn(logo)).toEqual({ type: "image/webp", size: "512 × 114", corner: 0 });
});

test("the previews follow what is typed and chosen, and a long name ends with an ellipsis", async ({
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, page.context(), { role: "admin" });
  await page.goto(BRAND);
  await hydrated(page);
  const previews = page.getByRole("region", { name: "Previews" });

  await page.getByLabel("Product name").fill("A name of forty letters that is so long");
  await page.getByLabel("Sender's name").fill("Acme, Inc.");
  await page.getByLabel("Last line").fill("Acme Road 1");
  await page.getByRole("radio", { name: "Teal" }).check();
  for (const text of ["A name of forty letters that is so long", "Acme, Inc.", "Acme Road 1"]) {
    await expect(previews.getByText(text).first()).toBeVisible();
  }
  const button = previews.getByText("Continue").first();
  await expect(button).toHaveCSS("background-color", "rgb(0, 133, 115)");
  await expect(previews.locator("svg").first()).toHaveCSS("width", "24px");

  await previews.getByRole("button", { name: "Dark" }).click();
  await expect(previews.locator("figure > div").first()).toHaveCSS(
    "background-color",
    "rgb(18, 17, 19)",
  );
});

test("an SVG is refused in words beside its field, and the typed text stays", async ({
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, page.context(), { role: "admin" });
  await page.goto(BRAND);
  await hydrated(page);
  await page.getByLabel("Product name").fill("Typed");
  await page.getByLabel("Logo for the light theme").setInputFiles({
    name: "logo.svg",
    mimeType: "image/svg+xml",
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  });

  await expect(page.getByRole("alert").filter({ hasText: "Export it as PNG" })).toBeVisible();
  await expect(page.getByLabel("Product name")).toHaveValue("Typed");
});

for (const language of ANY_LANGUAGE) {
  test(`a logo that the other theme hides is told beside its field, until that theme has its own (${language})`, async ({
    signedIn,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn({ role: "admin" }, { locale: language });
    await page.goto(BRAND);
    await hydrated(page);
    const choose = async (field: "logoLight" | "logoDark", ink: string) =>
      page.getByLabel(t(`settings:brand.${field}`)).setInputFiles(await aWordMark(page, ink));
    const told = (text: string) => page.getByRole("status").filter({ hasText: text });
    const onDark = told(t("settings:brand.faintAlone.dark"));

    await choose("logoLight", "#777777");
    await expect(page.locator("main canvas").first()).toBeVisible();
    await expect(onDark).toHaveCount(0);
    await choose("logoLight", "#111111");
    await expect(onDark).toBeVisible();
    expect(await findViolations(page)).toEqual([]);

    await choose("logoDark", "#ffffff");
    await expect(onDark).toHaveCount(0);
    await choose("logoDark", "#111111");
    await expect(told(t("settings:brand.faintLogo.dark"))).toBeVisible();

    // Without the other one, a white logo is hidden by the light theme.
    await choose("logoDark", "#ffffff");
    await page
      .getByRole("button", { name: t("pictures:dropChosen") })
      .first()
      .click();
    await expect(told(t("settings:brand.faintAlone.light"))).toBeVisible();
  });
}
