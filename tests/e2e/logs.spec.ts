import { isolate } from "../../app/ui/text/isolate.ts";
import { expect, hydrated, SIZES, test, toast } from "../support/e2e.ts";
import { aFailedMail, mailIs } from "../support/failed-mail.ts";
import { insertRows } from "../support/insert.ts";
import { matrix } from "../support/matrix.ts";
import { aUser, type Person } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import type { Gatehouse } from "../support/worker.ts";

const VISITS = matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
    javaScriptEnabled: [true, false],
  },
  1,
);

/** Makes a user whose last code came back. Returns the user. */
async function aUserWhoseMailBounced({ d1 }: Gatehouse): Promise<Person> {
  const user = await aUser({ d1 });
  const at = Date.now();
  const note = "550 5.1.1 no such user";
  await insertRows(d1, "refusing_mailbox", [
    { email: user.email, reason: "bounced", note, since: at },
  ]);
  await insertRows(d1, "mail_outbox", [
    {
      id: crypto.randomUUID(),
      kind: "login-code",
      recipient: user.email,
      language: "en",
      state: "sent",
      next_try_at: at,
      expires_at: at,
      created_at: at,
      sent_at: at,
      delivery: "bounced",
      delivery_at: at,
      delivery_reason: note,
    },
  ]);
  return user;
}

for (const { language, size, javaScriptEnabled } of VISITS) {
  const how = `${language}, ${size}, ${javaScriptEnabled ? "with" : "without"} JavaScript`;
  const t = translationsIn(language);
  const options = { locale: language, viewport: SIZES[size], javaScriptEnabled };

  test(`a manager goes from a figure to its list, and from a user to their events (${how})`, async ({
    gatehouse,
    signedIn,
  }) => {
    const { page } = await signedIn({ role: "admin" }, options);
    const person = await aUser(gatehouse, { name: "ليلى Zawadi" });

    await page.goto("/manager/dashboard");
    if (javaScriptEnabled) await hydrated(page);
    await page
      .getByRole("link", { name: t("manager:dashboard.newIn7Days", { change: "" }).trim() })
      .first()
      .click();
    await expect(page).toHaveURL(/\/manager\/users\?from=\d{4}-\d\d-\d\d$/);
    await page.getByRole("link", { name: person.name }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(person.name);
    await page.goto(`${new URL(page.url()).pathname}?tab=activity&side=by`);
    if (javaScriptEnabled) await hydrated(page);
    await page.locator('main a[href*="/manager/audit?actor="]').click();

    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("logs:audit.title"));
    const rows = page.getByRole("row").filter({ hasText: t("events:user.created") });
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText(person.name);
    const filter = `${t("logs:audit.who")}: ${isolate(person.name)}`;
    await page.getByRole("link", { name: t("common:list.removeFilter", { name: filter }) }).click();
    await expect(page).toHaveURL(/\/manager\/audit$/);

    // Typing searches with JavaScript; without it a whole e-mail or an ID is sent.
    await page.goto("/manager/audit");
    if (javaScriptEnabled) await hydrated(page);
    await page.getByRole("button", { name: t("common:list.filters"), exact: true }).click();
    const filters = page.getByRole("dialog", { name: t("common:list.filters") });
    const who = filters.getByRole("searchbox", { name: t("logs:audit.who"), exact: true });
    await who.fill(person.email);
    if (javaScriptEnabled) await filters.getByRole("link", { name: person.email }).waitFor();
    await who.press("Enter");
    const actor = javaScriptEnabled ? person.id : encodeURIComponent(person.email);
    await expect(page).toHaveURL(new RegExp(`actor=${actor}`));
    await expect(rows).toHaveCount(1);
  });

  test(`a manager sends a failed mail again (${how})`, async ({ gatehouse, signedIn }) => {
    const { page } = await signedIn({ role: "admin" }, options);
    const email = await aFailedMail(gatehouse);

    await page.goto("/manager/mail?state=failed");
    if (javaScriptEnabled) await hydrated(page);
    const row = page.getByRole("row").filter({ hasText: email });
    await expect(row).toContainText(t("logs:mail.kinds.login-code"));
    await row.getByRole("button", { name: t("logs:mail.sendAgain") }).click();

    await expect(toast(page, t("logs:mail.toast.retried")).first()).toBeVisible();
    expect((await gatehouse.mailbox.mailFor(email)).code).toMatch(/^\d{6}$/);
    await mailIs("sent", email, gatehouse);
    await page.goto(`/manager/mail?searchTerm=${email}`);
    await expect(page.getByRole("row").filter({ hasText: email })).toContainText(
      t("logs:mail.states.sent"),
    );
    const facts = page.getByRole("definition").filter({ hasText: "UTC" });
    await expect(facts).toHaveCount(0);
    await page.getByLabel(t("common:list.details")).click();
    await expect(facts.first()).toBeVisible();
    await expect(page.getByText(`"recipient": "${email}"`)).toBeHidden();
  });

  test(`a manager finds a bounced mail and allows mail to its mailbox again (${how})`, async ({
    gatehouse,
    signedIn,
  }) => {
    const { page } = await signedIn({ role: "admin" }, options);
    const { id, email } = await aUserWhoseMailBounced(gatehouse);

    await page.goto("/manager/mail?delivery=bounced");
    const row = page.getByRole("row").filter({ hasText: email });
    await expect(row).toContainText(t("logs:mail.deliveries.bounced"));
    await page.goto(`/manager/users/${id}`);
    if (javaScriptEnabled) await hydrated(page);
    await expect(page.getByText(t("users:mailbox.noCodes"))).toBeVisible();
    const allow = page.getByRole("button", { name: t("users:mailbox.allow") });
    await allow.focus();
    await page.keyboard.press("Enter");

    await expect(toast(page, t("users:toast.mailAllowed")).first()).toBeVisible();
    await expect(allow).toBeHidden();
    await expect(page.getByText(t("users:mailbox.refuses"))).toBeHidden();
  });
}

test("an actor is found by a part of the name, an action filters, and a row opens to its facts and JSON", async ({
  gatehouse,
  signedIn,
}) => {
  const { page, context } = await signedIn({ role: "admin" }, { viewport: SIZES.desktop });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const person = await aUser(gatehouse, { name: "Zebulon Quist" });
  await page.goto("/manager/audit");
  await hydrated(page);

  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await page.getByRole("searchbox", { name: "By", exact: true }).pressSequentially("zebul");
  await page.getByRole("link", { name: person.email }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/manager/audit?actor=${person.id}`);
  await expect(page.getByRole("link", { name: /By: .*Zebulon Quist/ })).toBeVisible();

  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await page.getByRole("combobox", { name: "Event", exact: true }).selectOption("User created");
  await expect(page).toHaveURL(`/manager/audit?actor=${person.id}&action=user.created`);

  const json = page.getByText('"action": "user.created"');
  const facts = page.getByRole("definition").filter({ hasText: person.email });
  await expect(json).toBeHidden();
  await expect(facts).toHaveCount(0);
  const target = page.getByRole("columnheader", { name: "About", exact: true });
  const before = await target.boundingBox();
  await page.getByLabel("Details").click();
  // As actor alone, because people who act on themselves are not named twice.
  await expect(facts).toHaveCount(1);
  await expect(json).toBeHidden();
  await page.getByText("Full record", { exact: true }).click();
  await expect(json).toBeVisible();
  expect(await target.boundingBox()).toEqual(before);
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const party = { id: person.id, name: "Zebulon Quist" };
  expect(JSON.parse(copied)).toMatchObject({ actor: party, target: party });
});
