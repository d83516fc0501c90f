import type { Locator, Page } from "@playwright/test";

/** Returns a transparent PNG of a word of 900 × 200 pixels, drawn by the browser. */
export async function aWordMark(page: Page, ink: string) {
  const bytes = await page.evaluate(async (colour) => {
    const canvas = new OffscreenCanvas(900, 200);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("There is nothing to draw on");
    context.fillStyle = colour;
    context.font = "bold 170px sans-serif";
    context.fillText("acme corp", 20, 150, 860);
    const blob = await canvas.convertToBlob({ type: "image/png" });
    return [...new Uint8Array(await blob.arrayBuffer())];
  }, ink);
  return { name: "word-mark.png", mimeType: "image/png", buffer: Buffer.from(bytes) };
}

/** Returns the type and size of the file that an image shows, and how opaque its first pixel is. */
export async function logoDrawn(image: Locator) {
  return image.evaluate(async (element) => {
    if (!(element instanceof HTMLImageElement)) throw new Error("This is no image");
    const blob = await (await fetch(element.src)).blob();
    const bitmap = await createImageBitmap(blob);
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    const [, , , corner] = context?.getImageData(0, 0, 1, 1).data ?? [];
    return { type: blob.type, size: `${bitmap.width} × ${bitmap.height}`, corner };
  });
}
