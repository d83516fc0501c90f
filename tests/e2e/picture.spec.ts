import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, hydrated, signInAs, test, toast } from "../support/e2e.ts";
import { ANY_LANGUAGE } from "../support/matrix.ts";
import { aPicture, aPng } from "../support/pictures.ts";
import { translationsIn } from "../support/translations.ts";

const PICTURE = "/app/account/picture";
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

const choose = (page: Page, t = translationsIn("en")) =>
  page.getByLabel(t("account:picture.choose"));

/** Returns a photograph, red on its left and blue on its right, encoded by the browser. */
async function aPhotograph(page: Page, type: "image/jpeg" | "image/png"): Promise<Buffer> {
  const bytes = await page.evaluate(async (mimeType) => {
    const canvas = new OffscreenCanvas(800, 400);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("There is nothing to draw on");
    context.fillStyle = "red";
    context.fillRect(0, 0, 400, 400);
    context.fillStyle = "blue";
    context.fillRect(400, 0, 400, 400);
    const blob = await canvas.convertToBlob({ type: mimeType });
    return [...new Uint8Array(await blob.arrayBuffer())];
  }, type);
  return Buffer.from(bytes);
}

/** Adds an EXIF orientation to a JPEG: to be rotated a quarter clockwise. */
function turned(jpeg: Buffer): Buffer {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0];
  const note = [...Buffer.from("Exif\0\0"), ...tiff, 0, 0, 0, 0];
  const segment = [0xff, 0xe1, 0, note.length + 2, ...note];
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from(segment), jpeg.subarray(2)]);
}

/** Returns the colours near the four edges of a picture, as "left", "right", "top" and "bottom". */
async function coloursOf(page: Page, url: string): Promise<Record<string, string>> {
  return page.evaluate(async (url) => {
    const blob = await (await fetch(url)).blob();
    const bitmap = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    const colourAt = (x: number, y: number) => {
      const [red = 0, green = 0, blue = 0] = context?.getImageData(x, y, 1, 1).data ?? [];
      if (red > 200 && blue < 60 && green < 60) return "red";
      return blue > 200 && red < 60 && green < 60 ? "blue" : `${red} ${green} ${blue}`;
    };
    return {
      type: blob.type,
      size: `${bitmap.width} × ${bitmap.height}`,
      left: colourAt(10, 128),
      right: colourAt(245, 128),
      top: colourAt(128, 10),
      bottom: colourAt(128, 245),
    };
  }, url);
}

/** Returns the URL of the picture in the account menu. */
async function pictureInMenu(page: Page): Promise<string> {
  const image = page.getByRole("button", { name: "Your account" }).locator("img");
  await expect(image).toHaveJSProperty("naturalWidth", 256);
  return (await image.getAttribute("src")) ?? "";
}

test("a photograph is cropped, saved, shown to its owner and a manager, and removed", async ({
  page,
  gatehouse,
  signedIn,
}) => {
  const { email } = await signInAs(gatehouse, page.context());
  await page.goto("/app/account");
  await page.getByRole("link", { name: "Change picture" }).click();
  await choose(page).setInputFiles({
    name: "holiday.png",
    mimeType: "image/png",
    buffer: await aPhotograph(page, "image/png"),
  });

  const zoom = page.getByRole("slider", { name: "Zoom" });
  await expect(zoom).toBeFocused();
  // The present picture is out of the way of the next one.
  await expect(page.getByText(translationsIn("en")("account:picture.intro"))).toBeHidden();
  // The photograph is wide: until it is zoomed in, it cannot move down.
  const down = page.getByRole("slider", { name: "Vertical" });
  await expect(down).toHaveCount(0);
  await zoom.press("End");
  await expect(down).toBeVisible();
  await zoom.press("Home");
  await page.getByRole("slider", { name: "Horizontal" }).press("Home");
  await page.getByRole("button", { name: "Save picture" }).click();

  await expect(toast(page, "Your picture has been changed.")).toBeVisible();
  const url = await pictureInMenu(page);
  expect(await coloursOf(page, url)).toEqual({
    type: "image/webp",
    size: "256 × 256",
    left: "red",
    right: "red",
    top: "red",
    bottom: "red",
  });

  const { page: list } = await signedIn({ role: "admin", name: "Mona Manager" });
  await list.goto("/manager/users");
  const row = list.getByRole("row").filter({ hasText: email });
  await expect(row.locator("img")).toHaveJSProperty("naturalWidth", 256);

  await page.getByRole("link", { name: "Change picture" }).click();
  await expect(page.getByLabel("Choose another picture")).toBeVisible();
  await expect(page.getByText("we use your initials")).toHaveCount(0);
  await page.getByRole("button", { name: "Remove picture" }).click();
  await expect(toast(page, "Your picture has been removed.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Your account" }).locator("img")).toHaveCount(0);
});

test("a photograph with an orientation is shown upright", async ({ page, gatehouse }) => {
  await signInAs(gatehouse, page.context());
  await page.goto(PICTURE);
  await hydrated(page);
  const buffer = turned(await aPhotograph(page, "image/jpeg"));
  await choose(page).setInputFiles({ name: "side.jpg", mimeType: "image/jpeg", buffer });

  await page.getByRole("button", { name: "Save picture" }).click();

  await expect(toast(page, "Your picture has been changed.")).toBeVisible();
  expect(await coloursOf(page, await pictureInMenu(page))).toMatchObject({
    top: "red",
    bottom: "blue",
  });
});

test("a picture is dropped on the page and dragged into position", async ({ page, gatehouse }) => {
  await signInAs(gatehouse, page.context());
  await page.goto(PICTURE);
  await hydrated(page);
  const bytes = [...(await aPhotograph(page, "image/png"))];
  const files = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(content)], "p.png", { type: "image/png" }));
    return transfer;
  }, bytes);
  await page
    .getByText("You can also drop a file here")
    .dispatchEvent("drop", { dataTransfer: files });

  const crop = page.getByRole("group", { name: "Crop your picture" }).locator("canvas");
  const box = await crop.boundingBox();
  if (!box) throw new Error("There is no picture to drag");
  await page.mouse.move(box.x + 200, box.y + 128);
  await page.mouse.down();
  await page.mouse.move(box.x + 20, box.y + 128, { steps: 4 });
  await page.mouse.up();
  await page.getByRole("button", { name: "Save picture" }).click();

  await expect(toast(page, "Your picture has been changed.")).toBeVisible();
  expect(await coloursOf(page, await pictureInMenu(page))).toMatchObject({
    left: "blue",
    right: "blue",
  });
});

test("in Arabic the zoom grows to the left, and the picture still moves with its slider", async ({
  signedIn,
}) => {
  const t = translationsIn("ar");
  const { page } = await signedIn({}, { locale: "ar" });
  await page.goto(PICTURE);
  await hydrated(page);
  const buffer = await aPhotograph(page, "image/png");
  await choose(page, t).setInputFiles({ name: "p.png", mimeType: "image/png", buffer });

  const zoom = page.getByRole("slider", { name: t("pictures:zoom") });
  await zoom.press("ArrowLeft");
  await expect(zoom).toHaveValue("101");
  const across = page.getByRole("slider", { name: t("pictures:across") });
  await across.press("ArrowLeft");
  await expect(across).toHaveValue("49");
});

test("only a mouse is told that a file can be dropped", async ({ signedIn }) => {
  for (const hasTouch of [false, true]) {
    const { page } = await signedIn({}, { hasTouch, isMobile: hasTouch });
    await page.goto(PICTURE);
    await expect(page.getByText("JPEG, PNG or WebP, up to 20 MB")).toBeVisible();
    await expect(page.getByText("drop a file")).toBeVisible({ visible: !hasTouch });
  }
});

test("initials replace a picture that cannot be loaded", async ({
  page,
  gatehouse,
  expectProblem,
}) => {
  const avatar = crypto.randomUUID();
  expectProblem(`404 /avatars/${avatar}`);
  await signInAs(gatehouse, page.context(), { avatar, name: "Zuri Abdi" });
  await page.goto("/app");

  const menu = page.getByRole("button", { name: "Your account" });
  await expect(menu.locator("img")).toHaveCount(0);
  await expect(menu.locator("[data-initials]")).toHaveAttribute("data-initials", "ZA");
  // The dashboard shows the newest users in the tests after this one.
  await gatehouse.d1.prepare("UPDATE user SET avatar = NULL WHERE avatar = ?").bind(avatar).run();
});

test.describe("an invalid file", () => {
  let folder = "";
  test.beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-"));
    writeFileSync(join(folder, "large.webp"), aPicture());
    truncateSync(join(folder, "large.webp"), 50_000_000);
    writeFileSync(join(folder, "drawing.svg"), SVG);
    writeFileSync(join(folder, "telephone.heic"), "\0\0\0\x18ftypheic\0\0\0\0mif1heic");
    writeFileSync(join(folder, "tampered.webp"), aPicture().with(21, 0).fill(7, 24));
  });
  test.afterAll(() => rmSync(folder, { recursive: true }));

  const CASES = [
    { file: "large.webp", message: "tooLarge" },
    { file: "drawing.svg", message: "svg" },
    { file: "telephone.heic", message: "heic" },
    { file: "tampered.webp", message: "notPicture" },
  ];
  for (const language of ANY_LANGUAGE) {
    const t = translationsIn(language);
    for (const { file, message } of CASES) {
      test(`${file} is refused in ${language}`, async ({ signedIn }) => {
        const { page } = await signedIn({}, { locale: language });
        await page.goto(PICTURE);
        await hydrated(page);

        await choose(page, t).setInputFiles(join(folder, file));

        await expect(page.getByRole("alert")).toBeVisible();
        await expect(choose(page, t)).toHaveAccessibleDescription(
          new RegExp(`^${t(`pictures:${message}`)}`),
        );
        await expect(page.getByRole("slider")).toHaveCount(0);
      });
    }
  }
});

/** Lets the browser encode as WebKit does, which writes no WebP, or not at all. */
async function encodeOnly(page: Page, types: string[]) {
  await page.evaluate((known) => {
    const { toBlob } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.toBlob = function (callback, type = "image/png", quality) {
      if (known.length === 0) callback(null);
      else toBlob.call(this, callback, known.includes(type) ? type : "image/png", quality);
    };
  }, types);
}

test("a browser that cannot encode WebP sends a JPEG", async ({ page, gatehouse }) => {
  await signInAs(gatehouse, page.context());
  await page.goto(PICTURE);
  await hydrated(page);
  await encodeOnly(page, ["image/png", "image/jpeg"]);
  const buffer = await aPhotograph(page, "image/png");
  await choose(page).setInputFiles({ name: "p.png", mimeType: "image/png", buffer });
  await page.getByRole("slider", { name: "Horizontal" }).press("Home");

  await page.getByRole("button", { name: "Save picture" }).click();

  await expect(toast(page, "Your picture has been changed.")).toBeVisible();
  expect(await coloursOf(page, await pictureInMenu(page))).toMatchObject({
    type: "image/jpeg",
    size: "256 × 256",
    left: "red",
    right: "red",
  });
});

test("a browser that encodes nothing says so beside the field", async ({ page, gatehouse }) => {
  await signInAs(gatehouse, page.context());
  await page.goto(PICTURE);
  await hydrated(page);
  await encodeOnly(page, []);
  const buffer = await aPhotograph(page, "image/png");
  await choose(page).setInputFiles({ name: "p.png", mimeType: "image/png", buffer });

  await page.getByRole("button", { name: "Save picture" }).click();

  await expect(page.getByRole("alert")).toHaveText(translationsIn("en")("pictures:notMade"));
  await expect(page.getByRole("alert")).toBeInViewport();
});

test("without JavaScript a picture of any shape is saved, cut to fit, and removed", async ({
  signedIn,
}) => {
  const { page } = await signedIn({}, { javaScriptEnabled: false });
  await page.goto(PICTURE);
  await expect(choose(page)).toHaveAccessibleDescription(/up to 300 kB and 1,024 × 1,024 pixels/);

  await choose(page).setInputFiles({
    name: "wide.png",
    mimeType: "image/png",
    buffer: Buffer.from(aPng({ width: 512, height: 114 })),
  });
  await page.getByRole("button", { name: "Save picture" }).click();

  await expect(toast(page, "Your picture has been changed.")).toBeVisible();
  const image = page.getByRole("button", { name: "Your account" }).locator("img");
  await expect(image).toHaveJSProperty("naturalWidth", 512);
  await expect(image).toHaveCSS("object-fit", "cover");
  await page.getByRole("link", { name: "Change picture" }).click();
  await page.getByRole("button", { name: "Remove picture" }).click();
  await expect(toast(page, "Your picture has been removed.")).toBeVisible();
  await expect(page.locator("img")).toHaveCount(0);
});
