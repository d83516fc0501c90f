import type { Page } from "@playwright/test";
import type { FeatureFacts } from "../../app/feature.ts";
import { FEATURES } from "../../app/features.ts";
import { isolate } from "../../app/ui/text/isolate.ts";
import { confirmButton, expect, hydrated, SIZES, test, toast } from "../support/e2e.ts";
import { middleOf } from "../support/layout.ts";
import { matrix } from "../support/matrix.ts";
import { expectFormOf, openPart } from "../support/organization-parts.ts";
import { anOrganization, newSlug } from "../support/organizations.ts";
import { aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import type { Gatehouse } from "../support/worker.ts";

type T = ReturnType<typeof translationsIn>;

/** Answers the open question with its confirmation. */
async function confirm(page: Page): Promise<void> {
  const question = page.getByRole("alertdialog").filter({ visible: true });
  await confirmButton(question).click();
}

/** Creates an organization and invites an e-mail as an admin. */
async function createAndInvite(page: Page, t: T, name: string, email: string): Promise<void> {
  await page.goto("/app/organizations");
  await page.getByRole("link", { name: t("organizations:new") }).click();
  await page.getByRole("textbox", { name: t("organizations:name"), exact: true }).fill(name);
  await page.getByRole("button", { name: t("organizations:create") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);

  await openPart(page, t, "invitations");
  await page.getByRole("link", { name: t("organizations:membersList.invite") }).click();
  await page.getByLabel(t("organizations:invite.emails")).fill(`${email}, someone@nowhere`);
  await page.getByRole("radio", { name: t("organizations:roles.admin") }).check();
  await page.getByRole("button", { name: t("organizations:invite.send") }).click();
  const sent = page.getByRole("status").filter({ hasText: email });
  await expect(sent).toContainText(t("organizations:invite.sent", { count: 1 }));
  const emails = page.getByLabel(t("organizations:invite.emails"));
  await expect(emails).toHaveValue("someone@nowhere");
  const reason = t("common:labelled", {
    label: "someone@nowhere",
    value: t("validation:email.invalid"),
  });
  await expect(emails).toHaveAccessibleDescription(new RegExp(reason));
  // A window that shows the field stays where it is.
  if (page.viewportSize()?.width === SIZES.desktop.width) {
    expect(await page.evaluate(() => scrollY)).toBe(0);
  }
}

/** Opens the mailed link, signs up with its e-mail and accepts. */
async function joinFromMail(
  page: Page,
  t: T,
  gatehouse: Gatehouse,
  email: string,
  hasScript: boolean,
) {
  const link = await gatehouse.mailbox.linkFor(email);
  await page.goto(link);
  await page.getByRole("link", { name: t("organizations:invitation.signIn") }).click();
  await expect(page.getByLabel(t("login:email"))).toHaveValue(email);
  await page.getByRole("button", { name: t("login:withEmail") }).click();
  await expect(page.getByRole("heading", { name: t("login:verifyTitle") })).toBeVisible();
  await page.getByLabel(t("login:code")).fill(await gatehouse.mailbox.codeFor(email));
  if (!hasScript) await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: t("onboarding:question") }).fill("Nia New");
  await page.getByRole("button", { name: t("onboarding:continue") }).click();
  await page.getByRole("button", { name: t("organizations:invitation.accept") }).click();
  await expect(toast(page, t("organizations:toast.joined"))).toBeVisible();
}

/** Makes the new admin a member. */
async function changeRole(page: Page, t: T): Promise<void> {
  await openPart(page, t, "members");
  const name = isolate("Nia New");
  await page
    .getByRole("button", { name: t("organizations:membersList.actions", { name }) })
    .click();
  await page.getByRole("button", { name: t("organizations:membersList.setRole") }).click();
  await page
    .getByRole("alertdialog")
    .filter({ visible: true })
    .getByRole("radio", { name: t("organizations:roles.member"), exact: true })
    .check();
  await confirm(page);
  await expect(toast(page, t("organizations:toast.roleChanged"))).toBeVisible();
}

/** Leaves the organization in its settings. */
async function leave(page: Page, t: T): Promise<void> {
  await openPart(page, t, "settings");
  await page.getByRole("button", { name: t("organizations:settings.leave") }).click();
  await confirm(page);
  await expect(toast(page, t("organizations:toast.left"))).toBeVisible();
  await expect(page.getByText(t("organizations:empty"))).toBeVisible();
}

for (const { language, size, hasScript } of matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
    hasScript: [true, false],
  },
  1,
)) {
  const t = translationsIn(language);
  const setting = `${language}, ${size}, ${hasScript ? "with" : "without"} JavaScript`;

  test(`a person creates an organization, a new one joins, changes and leaves (${setting})`, async ({
    signedIn,
    newContext,
    gatehouse,
  }) => {
    const name = `Zeit ${newSlug()}x${process.pid}`;
    const email = newEmail(`nia-${language}-${size}-${hasScript}-${process.pid}`);
    const options = { locale: language, viewport: SIZES[size], javaScriptEnabled: hasScript };
    const { page: owner } = await signedIn({ name: "Olga Owner" }, options);
    const invited = await (await newContext(options)).newPage();

    await createAndInvite(owner, t, name, email);
    await joinFromMail(invited, t, gatehouse, email, hasScript);
    await openPart(invited, t, "invitations");
    await changeRole(owner, t);
    await invited.goto(new URL(invited.url()).pathname);
    await expect(invited.getByRole("heading", { level: 1 })).not.toHaveText(name);
    await invited.goto("/app/organizations");
    await invited.getByRole("link", { name: new RegExp(name) }).click();
    await leave(invited, t);

    await openPart(owner, t, "members");
    await expect(owner.getByText("Nia New")).toHaveCount(0);
  });
}

test("Undo in the toast brings a removed member back", async ({ signedIn, gatehouse }) => {
  const t = translationsIn("ar");
  const { page, user } = await signedIn({}, { locale: "ar", viewport: SIZES.phone });
  const mate = await aUser(gatehouse, { name: "Mia Mate" });
  const { organization } = await anOrganization(gatehouse, {}, { owner: user, members: [mate] });
  await page.goto(`/app/organizations/${organization.slug}/members`);
  await hydrated(page);
  const row = page.getByRole("row").filter({ hasText: "Mia Mate" });
  const name = isolate("Mia Mate");
  const actions = t("organizations:membersList.actions", { name });
  await page.getByRole("button", { name: actions }).click();
  await page.getByRole("button", { name: t("organizations:membersList.remove") }).click();
  await confirm(page);
  await expect(row).toHaveCount(0);

  await page.getByRole("button", { name: t("common:actions.undo") }).click();

  await expect(toast(page, t("organizations:toast.memberRestored"))).toBeVisible();
  await expect(row).toBeVisible();
});

test("on a phone the links to the parts of an organization keep their place", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const { page, user } = await signedIn({}, { viewport: SIZES.phone });
  const { organization } = await anOrganization(
    gatehouse,
    // Too long for one line beside the link that two of the parts have there.
    { name: "Nyumbani Cooperative Society" },
    { owner: user },
  );
  const links = page.getByRole("navigation", { name: t("organizations:nav.label"), exact: true });
  const features: readonly FeatureFacts[] = FEATURES;
  const ofFeatures = features.flatMap(({ parts = [] }) =>
    parts.map(({ to }) => to.replace("/app/organizations/:slug", "")),
  );
  const middles: number[] = [];
  for (const part of ["", "/invitations?invite", ...ofFeatures, "/settings"]) {
    await page.goto(`/app/organizations/${organization.slug}${part}`);
    middles.push(await middleOf(links));
  }

  expect(new Set(middles).size).toBe(1);
});

for (const hasScript of [true, false]) {
  const setting = `${hasScript ? "with" : "without"} JavaScript`;
  const t = translationsIn("en");

  test(`one link opens the form of a part, and "Cancel" closes it (${setting})`, async ({
    signedIn,
  }) => {
    const { page } = await signedIn({}, { javaScriptEnabled: hasScript });
    const name = `Zeit ${newSlug()}x${process.pid}`;
    await page.goto("/app/organizations/new");
    await page.getByRole("textbox", { name: t("organizations:name"), exact: true }).fill(name);
    await page.getByRole("button", { name: t("organizations:create") }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);

    await expectFormOf(page, t, {
      part: "invitations",
      opener: "membersList.invite",
      field: "invite.emails",
    });
  });
}

test("the form proposes a short name while the name is typed, and tells when one is taken", async ({
  signedIn,
}) => {
  const t = translationsIn("en");
  const { page } = await signedIn();
  const name = `Brücke ${newSlug()} ${process.pid}`;
  await page.goto("/app/organizations/new");
  await hydrated(page);
  const slug = page.getByRole("textbox", { name: t("organizations:slug") });

  await page.getByRole("textbox", { name: t("organizations:name"), exact: true }).fill(name);
  await expect(slug).toHaveValue(/^bruecke-acme-\d+-\d+$/);
  await expect(page.getByText(t("organizations:slugFree"))).toBeVisible();
  const proposed = await slug.inputValue();
  await expect(slug).toHaveAccessibleDescription(new RegExp(`/app/organizations/${proposed}\\b`));
  await page.getByRole("button", { name: t("organizations:create") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);

  await page.goto("/app/organizations/new");
  await hydrated(page);
  await slug.fill(proposed);
  await expect(page.getByText(t("organizations:slugTaken"))).toBeVisible();
  await page.getByRole("textbox", { name: t("organizations:name"), exact: true }).fill("Other");
  await page.getByRole("button", { name: t("organizations:create") }).click();
  await expect(page.getByText(t("organizations:slugReplaced", { slug: proposed }))).toBeVisible();
  await expect(slug).toHaveValue(new RegExp(`^${proposed}-....$`));
  await slug.fill("settings");
  await expect(page.getByText(t("validation:slug.reserved"))).toBeVisible();
  await slug.fill(`${proposed}-two`);
  await page.getByRole("button", { name: t("organizations:create") }).click();
  await expect(page).toHaveURL(new RegExp(`/app/organizations/${proposed}-two$`));
});

test("a person with another e-mail switches the account and joins", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const email = newEmail(`switch-${process.pid}`);
  const { page: owner } = await signedIn({ name: "Olga Owner" });
  await createAndInvite(owner, t, `Zeit ${newSlug()}x${process.pid}`, email);
  const { page } = await signedIn({ name: "Someone Else" });

  await page.goto(await gatehouse.mailbox.linkFor(email));
  const title = t("organizations:invitation.foreign.title");
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
  await page.getByRole("button", { name: t("common:actions.switchAccount") }).click();
  await page.getByLabel(t("login:email")).fill(email);
  await page.getByRole("button", { name: t("login:withEmail") }).click();
  await page.getByLabel(t("login:code")).fill(await gatehouse.mailbox.codeFor(email));
  await page.getByRole("textbox", { name: t("onboarding:question") }).fill("Nia New");
  await page.getByRole("button", { name: t("onboarding:continue") }).click();

  await expect(
    page.getByRole("button", { name: t("organizations:invitation.accept") }),
  ).toBeVisible();
});
