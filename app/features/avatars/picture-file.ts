import { type Crop, MAX_ZOOM, squareOf } from "./crop.ts";
import { AVATAR_SIZE_PX, SOURCE_MAX_BYTES } from "./picture-size.ts";

/** Enough for every pixel of the result at the largest zoom. */
const WORKING_SIDE_PX = AVATAR_SIZE_PX * MAX_ZOOM;
const QUALITY = 0.85;

export type PictureRefusal = "tooLarge" | "notPicture" | "notMade";

type Read = { ok: true; picture: ImageBitmap } | { ok: false; error: PictureRefusal };

/**
 * Reads a chosen file as a picture, upright, scaled down to a useful size. Errors: `tooLarge`, and `notPicture` when
 * this browser cannot draw it. SVG is refused, because it can contain scripts.
 */
export async function readPicture(file: File): Promise<Read> {
  if (file.size > SOURCE_MAX_BYTES) return { ok: false, error: "tooLarge" };
  if (file.type === "image/svg+xml") return { ok: false, error: "notPicture" };
  try {
    const whole = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, WORKING_SIDE_PX / Math.min(whole.width, whole.height));
    const picture = await createImageBitmap(whole, {
      resizeWidth: Math.max(1, Math.round(whole.width * scale)),
      resizeHeight: Math.max(1, Math.round(whole.height * scale)),
      resizeQuality: "high",
    });
    whole.close();
    return { ok: true, picture };
  } catch {
    return { ok: false, error: "notPicture" };
  }
}

/** Draws a crop over the whole canvas, on white where the picture is transparent. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void {
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) return;
  const { left, top, side } = squareOf(picture, crop);
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
}

/** Encodes a crop as the file to be stored; undefined when the browser cannot write WebP and would return a PNG. */
export async function encodeCrop(picture: ImageBitmap, crop: Crop): Promise<File | undefined> {
  const canvas = document.createElement("canvas");
  canvas.width = AVATAR_SIZE_PX;
  canvas.height = AVATAR_SIZE_PX;
  drawCrop(canvas, picture, crop);
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, "image/webp", QUALITY),
  );
  return blob?.type === "image/webp"
    ? new File([blob], "picture.webp", { type: blob.type })
    : undefined;
}
