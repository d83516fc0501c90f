import type { Page } from "@playwright/test";
import {
  confirmButton,
  expect,
  hydrated,
  openUserMenu,
  SIZES,
  signInAs,
  test,
} from "../support/e2e.ts";
import { ANY_LANGUAGE, EACH_DIRECTION } from "../support/matrix.ts";
import { anOrganization } from "../support/organizations.ts";
import { aUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const PLUM = "rgb(171, 74, 186)";
const RED = "rgb(206, 44, 49)";

/** Opens a drawer and returns the colour of its Confirm button. */
async function colorOfConfirm(page: Page, trigger: string): Promise<string> {
  await page.getByRole("button", { name: trigger, exact: true }).first().click();
  const question = page.getByRole("alertdialog").filter({ visible: true });
  const confirm = confirmButton(question);
  const color = await confirm.evaluate((button) => getComputedStyle(button).backgroundColor);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toBeHidden();
  return color;
}

test("Confirm is red only for destructive actions", async ({ page, context, gatehouse }) => {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await signInAs(gatehouse, context, { role: "admin" });
  const person = await aUser(gatehouse, { name: "Ada" });
  await page.goto(`/manager/users/${person.id}`);
  await hydrated(page);

  await openUserMenu(page);
  expect(await colorOfConfirm(page, "Ban")).toBe(RED);
  await openUserMenu(page);
  expect(await colorOfConfirm(page, "Delete")).toBe(RED);
  expect(await colorOfConfirm(page, "Impersonate")).toBe(PLUM);
  await page.goto("/manager/users");
  await hydrated(page);
  await page.getByRole("checkbox", { name: "Ada" }).first().check();
  for (const trigger of ["Unban", "Set roles"]) {
    expect(await colorOfConfirm(page, trigger)).toBe(PLUM);
  }
});

for (const language of EACH_DIRECTION) {
  test(`a heading with a name of the other direction keeps the page's direction (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page, user } = await signedIn(
      { role: "admin" },
      { locale: language, viewport: SIZES.desktop },
    );
    const name = language === "ar" ? "Ada Lovelace" : "يوسف نصار";
    const person = await aUser(gatehouse, { name });
    const { organization } = await anOrganization(gatehouse, { name }, { members: [user] });

    for (const path of [
      `/manager/users/${person.id}`,
      `/manager/organizations/${organization.id}`,
      `/app/organizations/${organization.slug}`,
    ]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCSS(
        "direction",
        language === "ar" ? "rtl" : "ltr",
      );
    }
  });
}

for (const language of EACH_DIRECTION) {
  test(`the placeholder of the audit log's filter is not cut (${language})`, async ({
    signedIn,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn(
      { role: "admin" },
      { locale: language, viewport: SIZES.desktop },
    );
    await page.goto("/manager/audit");

    await hydrated(page);
    await page.getByRole("button", { name: t("common:list.filters") }).click();
    const field = page.getByPlaceholder(t("logs:audit.partyHint")).first();
    const [text = 0, width = 0] = await field.evaluate((input: HTMLInputElement) => {
      const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(input);
      const context = document.createElement("canvas").getContext("2d");
      if (context) context.font = font;
      const padding = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd);
      return [context?.measureText(input.placeholder).width, input.clientWidth - padding];
    });
    expect(text).toBeGreaterThan(0);
    expect(text).toBeLessThanOrEqual(width);
  });
}

// Letters such as "ي" have dots below, which a box as low as its line would cut.
test("in Arabic a name in the audit log has room for the dots below it", async ({ signedIn }) => {
  const { page } = await signedIn({ role: "admin" }, { locale: "ar" });
  await page.goto("/manager/audit");
  // The manager's own sign-in is among the newest events, whatever else the database has. Ids have a smaller font.
  const name = page.locator(".list-row bdi:not(.font-mono)").first();

  const room = await name.evaluate(
    (element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).fontSize),
  );
  expect(room).toBeGreaterThan(1.4);
});

test("French writes a space before the colon between a label and its value", async ({
  signedIn,
  gatehouse,
}) => {
  const { page } = await signedIn({ role: "admin" }, { locale: "fr" });
  const person = await aUser(gatehouse);
  await gatehouse.d1
    .prepare("UPDATE user SET banned = 1, ban_reason = 'test' WHERE id = ?")
    .bind(person.id)
    .run();

  await page.goto(`/manager/users/${person.id}`);

  await expect(page.getByText(/^Motif\u00a0: test$/)).toBeVisible();
});

test("an e-mail is shown whole and wraps only after an at sign or a dot", async ({
  signedIn,
  gatehouse,
}) => {
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.desktop });
  const email = `someone.${process.pid}.of.a.long.department@mail.example.org`;
  const person = await aUser(gatehouse, { email });

  await page.goto(`/manager/users/${person.id}`);
  const text = page.getByRole("main").getByText(email, { exact: true }).last();
  const lines = await text.evaluate((element) => {
    const found: string[] = [];
    let last = Number.NaN;
    for (const node of element.childNodes) {
      if (!(node instanceof Text)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const [{ top } = { top: 0 }, ...others] = range.getClientRects();
      if (others.length > 0) return ["broken inside a part"];
      if (top === last) found.push(`${found.pop() ?? ""}${node.data}`);
      else found.push(node.data);
      last = top;
    }
    return found;
  });
  expect(lines.join("")).toBe(email);
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/[@.]$/);
});

for (const locale of ANY_LANGUAGE) {
  test(`lists cut a long e-mail at its end, with an ellipsis (${locale})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page } = await signedIn({ role: "admin" }, { locale, viewport: SIZES.phone });
    const email = `someone.${locale}${process.pid}.of.a.long.department@mail.example.org`;
    await aUser(gatehouse, { email });
    await page.goto("/manager/users");
    const text = page.getByRole("main").getByText(email, { exact: true }).last();

    const shown = await text.evaluate((element) => {
      const range = document.createRange();
      range.setStart(element.firstChild as Text, 0);
      range.setEnd(element.firstChild as Text, 1);
      const { direction, textOverflow } = getComputedStyle(element);
      const [box, first] = [element.getBoundingClientRect(), range.getBoundingClientRect()];
      const cell = (element.closest("td") as Element).getBoundingClientRect();
      return {
        direction,
        textOverflow,
        isCut: element.scrollWidth > element.clientWidth,
        beginsAt: Math.round(first.left - box.left),
        isInCell: box.left >= cell.left - 1 && box.right <= cell.right + 1,
      };
    });

    expect(shown).toEqual({
      direction: "ltr",
      textOverflow: "ellipsis",
      isCut: true,
      beginsAt: 0,
      isInCell: true,
    });
  });
}

test("a report about users with one name shows their e-mails", async ({
  page,
  context,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const name = `twin ${process.pid}`;
  const twins = [await aUser(gatehouse, { name }), await aUser(gatehouse, { name })];
  const single = await aUser(gatehouse, { name: `${name} alone` });
  await page.goto(`/manager/users?searchTerm=${name}`);
  await hydrated(page);
  await page.getByRole("checkbox", { name: "Select all" }).filter({ visible: true }).check();
  await page.getByRole("button", { name: "Ban", exact: true }).click();

  await confirmButton(page.getByRole("alertdialog")).click();

  const report = page.getByRole("status").filter({ hasText: "banned" });
  for (const { email } of twins) await expect(report).toContainText(email);
  await expect(report).not.toContainText(single.email);
});

test("a conflict shows only the fields that differ", async ({ page, context, gatehouse }) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const { id } = await aUser(gatehouse);
  await page.goto(`/manager/users/${id}/update`);
  await hydrated(page);
  await gatehouse.d1
    .prepare("UPDATE user SET name = 'Their Name', version = version + 1 WHERE id = ?")
    .bind(id)
    .run();

  await page.getByLabel("Name").fill("Our Name");
  await page.getByRole("button", { name: "Save" }).click();

  const notice = page.getByRole("alert").filter({ hasText: "Changed by someone else" });
  await expect(notice.getByRole("term")).toHaveText(["Name"]);
  await expect(notice.getByRole("definition")).toHaveText(["Their Name"]);
});
