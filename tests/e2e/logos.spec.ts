import { newBrowser } from "../support/client.ts";
import { expect, hydrated, SIZES, signInAs, test, toast } from "../support/e2e.ts";
import { aWordMark, logoDrawn } from "../support/logos.ts";
import { anOrganization } from "../support/organizations.ts";
import { askForCode, newEmail } from "../support/people.ts";

const BRAND = "/manager/settings/brand";

test("a transparent word mark stays wide and transparent on the brand's pages and in its mails", async ({
  newGatehouse,
  newContext,
}) => {
  const site = await newGatehouse({ mail: "local" });
  const context = await newContext({ baseURL: site.origin });
  await signInAs(site, context, { role: "admin" });
  const page = await context.newPage();
  for (const theme of ["light", "dark"] as const) {
    await page.goto(`${BRAND}/logo/${theme}`);
    await hydrated(page);
    const ink = theme === "light" ? "#7a2e85" : "#f0c9f5";
    await page.getByLabel("Choose a logo").setInputFiles(await aWordMark(page, ink));
    // The whole word mark is in the frame, and can be cut closer.
    await expect(page.getByRole("slider", { name: "Zoom" })).toHaveValue("22");
    await page.getByRole("button", { name: "Save logo" }).click();
    await expect(toast(page, "The logo has been changed.")).toBeVisible();
  }

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
