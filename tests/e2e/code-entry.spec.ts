import { mailboxOf } from "../../app/features/auth/mailbox.ts";
import { createKeys } from "../../app/runtime/keys.server.ts";
import { alert, countPosts, openCodeEntry, waitOutCooldown } from "../support/code-entry.ts";
import { expect, test, toast } from "../support/e2e.ts";
import { ANY_LANGUAGE } from "../support/matrix.ts";
import { aUser, newEmail, wrongCode } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import type { Gatehouse } from "../support/worker.ts";

for (const language of ANY_LANGUAGE) {
  const t = translationsIn(language);
  test.describe(language, () => {
    test.use({ locale: language });

    test("a wrong code is cleared, announced and asked for again", async ({ page, gatehouse }) => {
      const email = await openCodeEntry(page, t);
      const code = await gatehouse.mailbox.codeFor(email);
      const field = page.getByLabel(t("login:code"));
      await field.pressSequentially(wrongCode(code));

      await expect(alert(page, t("validation:code.invalid"))).toBeVisible();
      await expect(field).toHaveAccessibleDescription(new RegExp(t("validation:code.invalid")));
      await expect(field).toHaveAttribute("aria-invalid", "true");
      await expect(field).toHaveValue("");
      await expect(field).toBeFocused();
      const boxes = page.locator("[aria-hidden=true][class=code-box]");
      await expect(boxes.first()).toHaveCSS("outline", /solid 2px$/);
      await expect(boxes.nth(1)).toHaveCSS("outline-style", "none");

      await page.keyboard.type(code);
      await expect(page.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
    });

    test("a wrong code shows how many tries are left", async ({ page, gatehouse }) => {
      const email = await openCodeEntry(page, t);
      const code = await gatehouse.mailbox.codeFor(email);
      const field = page.getByLabel(t("login:code"));
      for (const count of [2, 1]) {
        await field.pressSequentially(wrongCode(code));
        await expect(page.getByText(t("login:triesLeft", { count }))).toBeVisible();
        await expect(page.getByRole("alert").getByText(t("validation:code.invalid"))).toBeVisible();
        await expect(field).toHaveAccessibleDescription(
          new RegExp(t("login:triesLeft", { count })),
        );
      }
    });

    test("the third wrong code locks the form and offers a new code", async ({
      page,
      context,
      gatehouse,
    }) => {
      await page.clock.install();
      const email = await openCodeEntry(page, t);
      const code = await gatehouse.mailbox.codeFor(email);
      const field = page.getByLabel(t("login:code"));
      for (const last of [false, false, true]) {
        await field.pressSequentially(wrongCode(code));
        await expect(
          alert(page, t(last ? "codes:TOO_MANY_ATTEMPTS" : "validation:code.invalid")),
        ).toBeVisible();
        if (!last) await expect(field).toHaveValue("");
      }
      await expect(page.getByRole("button", { name: t("login:confirm") })).toHaveCount(0);
      await expect(field).toHaveCount(0);
      await expect(page.getByRole("heading", { name: t("login:newCodeTitle") })).toBeVisible();
      await expect(page.getByText(/4:\d\d/)).toHaveCount(0);
      const resend = page.getByRole("button", { name: t("login:resend") });
      await expect(resend).toBeDisabled();
      await expect(resend).toContainText(/0:\d\d/);

      await page.clock.fastForward(61_000);
      await expect(resend).toBeFocused();
      await waitOutCooldown(context);
      await resend.click();
      await expect(toast(page, t("login:resent"))).toBeVisible();
      await expect(field).toBeEditable();
      await expect(page.getByRole("heading", { name: t("login:verifyTitle") })).toBeVisible();
      await field.pressSequentially(await gatehouse.mailbox.codeFor(email));
      await expect(page.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
    });

    test("an expired code locks the form and says so", async ({ page, gatehouse }) => {
      const email = await openCodeEntry(page, t);
      const code = await gatehouse.mailbox.codeFor(email);
      await ageCodes(gatehouse, email);
      await page.getByLabel(t("login:code")).pressSequentially(code);
      await expect(alert(page, t("codes:OTP_EXPIRED"))).toBeVisible();
      await expect(page.getByLabel(t("login:code"))).toHaveCount(0);
      await expect(page.getByRole("button", { name: t("login:confirm") })).toHaveCount(0);
      await expect(page.getByRole("button", { name: t("login:resend") })).toBeVisible();
    });

    test("the countdown's end locks the form", async ({ page }) => {
      await page.clock.install();
      await openCodeEntry(page, t);
      await expect(page.getByText(/^[45]:\d\d$/)).toBeVisible();
      await page.clock.fastForward(5 * 60_000);
      await expect(
        page.getByRole("status").filter({ hasText: t("codes:OTP_EXPIRED") }),
      ).toBeVisible();
      await expect(page.getByRole("button", { name: t("login:confirm") })).toHaveCount(0);
      await expect(page.getByRole("button", { name: t("login:resend") })).toBeFocused();
    });

    test("another code can be sent after a minute, and replaces the old one", async ({
      page,
      context,
      gatehouse,
    }) => {
      await page.clock.install();
      const email = await openCodeEntry(page, t);
      const first = await gatehouse.mailbox.codeFor(email);
      const resend = page.getByRole("button", { name: t("login:resend") });
      await expect(resend).toBeDisabled();
      await expect(resend).toHaveAccessibleDescription(/\d/);

      // The button is enabled by the page; the server counts too.
      await page.clock.fastForward(60_000);
      await expect(resend).toBeEnabled();
      await expect(resend).toHaveAccessibleDescription("");
      await waitOutCooldown(context);
      await resend.click();
      await expect(toast(page, t("login:resent"))).toBeVisible();
      await expect(resend).toBeDisabled();

      const second = await gatehouse.mailbox.codeFor(email);
      const field = page.getByLabel(t("login:code"));
      await field.pressSequentially(first);
      await expect(alert(page, t("validation:code.invalid"))).toBeVisible();
      await field.pressSequentially(second);
      await expect(page.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
    });

    test("another code restarts the countdown on an open page", async ({
      page,
      context,
      gatehouse,
    }) => {
      await page.clock.install();
      const email = await openCodeEntry(page, t);
      await gatehouse.mailbox.codeFor(email);
      const resend = page.getByRole("button", { name: t("login:resend") });
      await expect(page.getByText(/^(5:00|4:5\d)$/)).toBeVisible();
      await page.clock.fastForward(90_000);
      await expect(page.getByText(/^3:\d\d$/)).toBeVisible();
      await expect(resend).toBeEnabled();
      await waitOutCooldown(context);

      await resend.click();

      await expect(toast(page, t("login:resent"))).toBeVisible();
      await expect(page.getByText(/^(5:00|4:5\d)$/)).toBeVisible();
      await expect(resend).toBeDisabled();
    });

    test("with sign-up on the screen says that a code was sent, and Confirm without a code says what is missing", async ({
      page,
    }) => {
      const email = await openCodeEntry(page, t);
      await expect(page.getByText(t("login:sent", { email }))).toBeVisible();
      await page.getByRole("button", { name: t("login:confirm") }).click();
      await expect(alert(page, t("validation:code.required"))).toBeVisible();
      await page.getByLabel(t("login:code")).pressSequentially("123");
      await page.getByRole("button", { name: t("login:confirm") }).click();
      await expect(alert(page, t("validation:code.length"))).toBeVisible();
    });

    test("another e-mail can be used, and the redirect is kept", async ({ page }) => {
      await page.goto(`/login/verify?email=${newEmail()}&redirect=/app`);
      await page.getByRole("link", { name: t("login:anotherEmail") }).click();
      await expect(page).toHaveURL("/login?redirect=%2Fapp");
      await expect(page.getByRole("heading", { name: t("login:titleWithSignUp") })).toBeVisible();
    });

    test("the mail's link fills in the code and waits for Confirm", async ({
      page,
      context,
      gatehouse,
    }) => {
      const email = await openCodeEntry(page, t);
      const link = await gatehouse.mailbox.linkFor(email);
      const code = link.slice(-6);
      const urls: string[] = [];
      context.on("request", (request) => urls.push(request.url(), request.headers().referer ?? ""));
      let posts = countPosts(page);

      const other = await context.newPage();
      await other.goto(link);
      await expect(other.getByLabel(t("login:code"))).toHaveValue(code);
      await expect(other).toHaveURL(link.slice(0, link.indexOf("#")));
      posts = countPosts(other);
      await other.getByRole("button", { name: t("login:confirm") }).click();
      await expect(other.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
      expect(posts()).toBe(1);
      expect(urls.filter((url) => url.includes(code))).toEqual([]);
    });

    test("a banned user sees the reason and the end", async ({ page, gatehouse }) => {
      const { email } = await aUser(gatehouse, { banned: 1, ban_reason: "Sold tickets twice" });
      await openCodeEntry(page, t, email);
      await page
        .getByLabel(t("login:code"))
        .pressSequentially(await gatehouse.mailbox.codeFor(email));
      await expect(page).toHaveURL(/\/login\/error\?error=BANNED_USER/);
      await expect(page.getByText(t("login:errors.banned.text"))).toBeVisible();
      await expect(page.getByText("Sold tickets twice")).toBeVisible();
      await expect(page.getByText(t("login:errors.banned.forever"))).toBeVisible();
      await page.getByRole("link", { name: t("login:backToLogin") }).click();
      await expect(page).toHaveURL("/login");
    });

    test("the mail's link signs in after its code has expired", async ({
      page,
      context,
      gatehouse,
    }) => {
      const email = await openCodeEntry(page, t);
      const link = await gatehouse.mailbox.linkFor(email);
      await ageCodes(gatehouse, email);
      const other = await context.newPage();
      await other.goto(link);
      await other.getByRole("button", { name: t("login:confirm") }).click();
      await expect(other.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
    });

    test("after three wrong codes a reload still offers a new code", async ({
      page,
      gatehouse,
    }) => {
      const email = await openCodeEntry(page, t);
      const link = await gatehouse.mailbox.linkFor(email);
      const code = link.slice(-6);
      const field = page.getByLabel(t("login:code"));
      for (const last of [false, false, true]) {
        await field.pressSequentially(wrongCode(code));
        await expect(
          alert(page, t(last ? "codes:TOO_MANY_ATTEMPTS" : "validation:code.invalid")),
        ).toBeVisible();
        if (!last) await expect(field).toHaveValue("");
      }

      await page.reload();

      await expect(page.getByRole("heading", { name: t("login:newCodeTitle") })).toBeVisible();
      await expect(alert(page, t("codes:TOO_MANY_ATTEMPTS"))).toBeVisible();
      await expect(field).toHaveCount(0);
      // The link of the mail is older than its wrong codes, and still signs in.
      const stillWorks = t("login:linkStillWorks", { duration: "\0" }).split("\0")[0] ?? "";
      await expect(page.getByText(stillWorks)).toContainText(/1[01]/);
      await page.getByLabel(t("login:mailLink")).fill(link);
      await page.getByRole("button", { name: t("login:withLink") }).click();
      await expect(page.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
    });

    test("an e-mail of the URL gets the same sentence as any other, and no time without a code", async ({
      page,
    }) => {
      const email = newEmail();
      await page.goto(`/login/verify?email=${email}`);

      await expect(page.getByLabel(t("login:code"))).toBeEditable();
      await expect(page.getByText(t("login:sent", { email }))).toBeVisible();
      await expect(page.getByText(/[45]:\d\d/)).toHaveCount(0);
      await expect(page.getByText(t("login:expires", { count: 5, expiration: 5 }))).toHaveCount(0);
    });

    test("when no code can leave at once, the screen says when, and takes the newest one", async ({
      page,
      context,
      gatehouse,
    }) => {
      const email = newEmail();
      for (let count = 0; count < 5; count++) {
        await context.request.post("/login", {
          form: { intent: "email", email },
          headers: { origin: gatehouse.origin },
        });
      }
      await openCodeEntry(page, t, email);
      const [before = ""] = t("login:noNewMail", { duration: "\0" }).split("\0");
      await expect(page.getByText(before)).toBeVisible();
      await expect(page.getByText(before)).not.toContainText("{{");
      await expect(page.getByRole("button", { name: t("login:resend") })).toContainText(/8:\d\d/);

      let newest = "";
      for (let count = 0; count < 5; count++) newest = await gatehouse.mailbox.codeFor(email);
      await page.getByLabel(t("login:code")).pressSequentially(newest);
      await expect(page.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
    });

    test("after too many wrong codes of a day the link is opened or pasted", async ({
      page,
      newContext,
      gatehouse,
    }) => {
      const email = await openCodeEntry(page, t);
      const link = await gatehouse.mailbox.linkFor(email);
      const code = link.slice(-6);
      await gatehouse.d1.exec(
        "INSERT INTO code_event (id, budget, kind, created_at) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 24) SELECT 'wrong-' || i, mailbox, 'failed', sent_at FROM n, (SELECT mailbox, sent_at FROM sign_in_code ORDER BY sent_at DESC LIMIT 1)",
      );
      await page.getByLabel(t("login:code")).pressSequentially(code);
      await expect(page.getByText(t("codes:LINK_REQUIRED"))).toBeVisible();
      await page.getByLabel(t("login:mailLink")).fill("https://example.com/");
      await page.getByRole("button", { name: t("login:withLink") }).click();
      await expect(alert(page, t("validation:mailLink.invalid"))).toBeVisible();

      const opened = await (await newContext()).newPage();
      await opened.goto(link);
      await expect(opened.getByLabel(t("login:code"))).toHaveValue(code);

      await page.getByLabel(t("login:mailLink")).fill(link);
      await page.getByRole("button", { name: t("login:withLink") }).click();
      await expect(page.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
    });
  });
}

/** Expires every waiting code of an e-mail. */
async function ageCodes(gatehouse: Gatehouse, email: string): Promise<void> {
  const { meta } = await gatehouse.d1
    .prepare("UPDATE sign_in_code SET expires_at = ? WHERE mailbox = ?")
    .bind(Date.now() - 1_000, await mailboxOf(createKeys(gatehouse.secret), email))
    .run();
  expect(meta.changes).toBe(1);
}
