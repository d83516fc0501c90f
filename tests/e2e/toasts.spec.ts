import type { Page } from "@playwright/test";
import { TOAST_KINDS } from "../../app/ui/feedback/toast-kinds.ts";
import { expect, hydrated, SIZES, signInAs, test } from "../support/e2e.ts";
import { EACH_DIRECTION } from "../support/matrix.ts";
import { isFull } from "../support/thoroughness.ts";
import { translationsIn } from "../support/translations.ts";

const text = translationsIn("en")("login:resent");

for (const kind of isFull ? TOAST_KINDS : (["success", "error"] as const)) {
  test(`a toast of kind ${kind} is shown and disappears`, async ({ context, page, gatehouse }) => {
    const toast = { id: crypto.randomUUID(), kind, message: "login:resent" };
    await context.addCookies([
      {
        name: "gatehouse.toast",
        value: encodeURIComponent(JSON.stringify(toast)),
        url: gatehouse.origin,
      },
    ]);

    await page.clock.install();
    await page.goto("/login");

    const shown = page.getByRole("region", { name: "Messages" }).getByText(text);
    await expect(shown).toBeVisible();
    await page.clock.fastForward(10_000);
    await expect(shown).toBeHidden();
  });
}

test("a toast waits for the screen that is shown while the pointer rests on links", async ({
  signedIn,
  gatehouse,
}) => {
  const { page, context } = await signedIn({ role: "admin" });
  await page.goto("/manager/audit");
  await hydrated(page);
  const toast = { id: crypto.randomUUID(), kind: "info", message: "login:resent" };
  const value = encodeURIComponent(JSON.stringify(toast));
  await context.addCookies([{ name: "gatehouse.toast", value, url: gatehouse.origin }]);
  const link = page.getByRole("navigation").getByRole("link", { name: "Users" });

  const prefetch = page.waitForEvent("requestfinished", (request) =>
    request.url().endsWith("/manager/users.data"),
  );
  await link.hover();
  await prefetch;
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Users");
  await expect(page.getByRole("region").getByText(text)).toBeVisible();
});

test("a toast begins 8 px below the header", async ({ context, page, gatehouse }) => {
  await signInAs(gatehouse, context);
  const toast = { id: crypto.randomUUID(), kind: "info", message: "login:resent" };
  const value = encodeURIComponent(JSON.stringify(toast));
  await context.addCookies([{ name: "gatehouse.toast", value, url: gatehouse.origin }]);

  await page.goto("/app");
  await hydrated(page);

  const shown = page.getByRole("region", { name: /^Messages/ }).getByRole("listitem");
  await expect(shown).toBeVisible();
  const header = await page.getByRole("banner").boundingBox();
  const end = (header?.y ?? 0) + (header?.height ?? 0);
  await expect.poll(async () => (await shown.boundingBox())?.y).toBe(end + 8);
});

for (const language of EACH_DIRECTION) {
  const t = translationsIn(language);

  test(`a toast on a phone has equal margins, stands above the title, and has its close button inside (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page, context } = await signedIn({}, { locale: language, viewport: SIZES.phone });
    const toast = { id: crypto.randomUUID(), kind: "info", message: "login:resent" };
    const value = encodeURIComponent(JSON.stringify(toast));
    await context.addCookies([{ name: "gatehouse.toast", value, url: gatehouse.origin }]);

    await page.goto("/app");
    await hydrated(page);

    const shown = page
      .getByRole("region")
      .getByRole("listitem")
      .filter({ hasText: t("login:resent") });
    await expect(shown).toBeVisible();
    await expect
      .poll(async () => {
        const title = await page.getByRole("heading", { level: 1 }).boundingBox();
        const toast = await shown.boundingBox();
        return (title?.y ?? 0) - ((toast?.y ?? 0) + (toast?.height ?? 0));
      }, "pixels between the toast and the title")
      .toBeGreaterThanOrEqual(8);
    const box = (await shown.boundingBox()) ?? { x: 0, width: 0 };
    expect([box.x, SIZES.phone.width - box.x - box.width]).toEqual([16, 16]);
    const button = await shown
      .getByRole("button", { name: t("common:actions.close") })
      .boundingBox();
    const [start, end] = [button?.x ?? 0, (button?.x ?? 0) + (button?.width ?? 0)];
    const atEnd = language === "ar" ? start - box.x : box.x + box.width - end;
    expect(atEnd).toBeGreaterThan(8);
    expect(atEnd).toBeLessThan(16);
  });
}

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`a toast covers no control (${size})`, async ({ signedIn, gatehouse }) => {
    const { page, context, user } = await signedIn({ role: "admin" }, { viewport });
    const value = (id: string) =>
      encodeURIComponent(JSON.stringify({ id, kind: "success", message: "login:resent" }));
    const screens = ["/manager/users", `/manager/users/${user.id}`, "/manager/users/new"];
    for (const path of [...screens, "/app", "/app/account", "/app/organizations/new", "/login"]) {
      if (path === "/login") await context.clearCookies();
      await context.addCookies([
        { name: "gatehouse.toast", value: value(path.slice(0, 30)), url: gatehouse.origin },
      ]);
      await page.goto(path);
      await hydrated(page);
      const shown = page.getByRole("region", { name: /^Messages/ }).getByRole("listitem");
      await shown.hover();
      await expect.poll(() => covered(page), `what a toast covers on ${path}`).toEqual([]);
    }
  });
}

test("a toast ends with its screen", async ({ signedIn, gatehouse }) => {
  const { page, context } = await signedIn();
  const toast = { id: crypto.randomUUID(), kind: "info", message: "login:resent" };
  const value = encodeURIComponent(JSON.stringify(toast));
  await context.addCookies([{ name: "gatehouse.toast", value, url: gatehouse.origin }]);
  await page.goto("/app");
  await hydrated(page);
  const shown = page.getByRole("region", { name: /^Messages/ }).getByRole("listitem");
  // Its time stands still under the pointer.
  await shown.hover();
  await page.getByRole("navigation").getByRole("link", { name: "Account" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Account");
  await expect(shown).toHaveCount(0);
});

/** Lists the controls of a page that a toast covers. */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll("[data-sonner-toast]")].map((toast) =>
      toast.getBoundingClientRect(),
    );
    if (boxes.length === 0) return ["no toast"];
    const controls = document.querySelectorAll<HTMLElement>(
      ":is(a[href], button, input, select, textarea, summary):not([data-sonner-toast] *)",
    );
    return [...controls].flatMap((control) => {
      if (!control.checkVisibility({ visibilityProperty: true })) return [];
      const { left, right, top, bottom } = control.getBoundingClientRect();
      const isUnder = boxes.some(
        (box) => left < box.right && right > box.left && top < box.bottom && bottom > box.top,
      );
      return isUnder && right > left ? [control.outerHTML.slice(0, 120)] : [];
    });
  });
}

test("a toast is swiped away by 45 px, not by 44, and is gone 200 ms later", async ({
  context,
  page,
  gatehouse,
}) => {
  const toast = { id: crypto.randomUUID(), kind: "info", message: "login:resent" };
  const value = encodeURIComponent(JSON.stringify(toast));
  await context.addCookies([{ name: "gatehouse.toast", value, url: gatehouse.origin }]);
  await page.clock.install();
  await page.goto("/login");
  const shown = page.getByRole("region", { name: /^Messages/ }).getByRole("listitem");
  await expect(shown).toBeVisible();
  // Its time stands still under the pointer.
  await shown.hover();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);

  /** Swipes so slowly that only the distance counts. */
  async function swipe(distance: number): Promise<void> {
    const box = (await shown.boundingBox()) ?? { x: 0, y: 0, height: 0 };
    // A toast that still slides back is at a fraction of a pixel, and the distance would be rounded.
    const [x, y] = [Math.round(box.x), Math.round(box.y + box.height / 2)];
    await page.mouse.move(x + 20, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y);
    await page.mouse.move(x + 20 + distance, y);
    await page.clock.runFor(1_000);
    await page.mouse.up();
  }

  await swipe(44);
  await page.clock.runFor(1_000);
  await expect(shown).toHaveAttribute("data-removed", "false");
  await swipe(45);
  await expect(shown).toHaveAttribute("data-removed", "true");
  await page.clock.runFor(199);
  await expect(shown).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(shown).toHaveCount(0);
});
