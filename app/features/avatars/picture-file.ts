import { type Crop, MAX_ZOOM, partOf, sizeWithin, squareOf } from "./crop.ts";
import { encodeWithin } from "./encoding.ts";
import { KIND_BYTES, kindOfFile } from "./file-kind.ts";
import {
  AVATAR_SIZE_PX,
  LOGO_BOX_PX,
  PICTURE_MAX_BYTES,
  type PictureRefusal,
  SOURCE_MAX_BYTES,
} from "./picture-size.ts";
import type { PictureTexts } from "./picture-texts.ts";
import { isSeeThrough } from "./see-through.ts";

/** Enough for every pixel of the result at the largest zoom. */
const WORKING_SIDE_PX = AVATAR_SIZE_PX * MAX_ZOOM;
const QUALITY = 0.85;

type Read = { ok: true; picture: ImageBitmap } | { ok: false; error: PictureRefusal };

/**
 * Reads a chosen file as a picture, upright, scaled down to a useful size. Errors: `tooLarge`, `svg`, which can contain
 * scripts, and when this browser cannot draw it `heic` or `notPicture`.
 */
export async function readPicture(file: File): Promise<Read> {
  if (file.size > SOURCE_MAX_BYTES) return { ok: false, error: "tooLarge" };
  const kind = kindOfFile(new Uint8Array(await file.slice(0, KIND_BYTES).arrayBuffer()));
  if (kind === "svg") return { ok: false, error: "svg" };
  try {
    const whole = await createImageBitmap(file);
    const scale = Math.min(1, WORKING_SIDE_PX / Math.min(whole.width, whole.height));
    const picture = await createImageBitmap(whole, {
      resizeWidth: Math.max(1, Math.round(whole.width * scale)),
      resizeHeight: Math.max(1, Math.round(whole.height * scale)),
      resizeQuality: "high",
    });
    whole.close();
    return { ok: true, picture };
  } catch {
    return { ok: false, error: kind === "heic" ? "heic" : "notPicture" };
  }
}

/** Draws the square of a crop over the whole canvas. A user's picture is on white where it is transparent. */
export function drawCrop(
  canvas: HTMLCanvasElement,
  kind: PictureTexts,
  picture: ImageBitmap,
  crop: Crop,
): void {
  const { left, top, side } = squareOf(picture, crop);
  const part = partOf(picture, crop);
  const scale = canvas.width / side;
  draw(canvas, kind, picture, part, {
    left: (part.left - left) * scale,
    top: (part.top - top) * scale,
    width: part.width * scale,
    height: part.height * scale,
  });
}

/** Encodes a crop as the file to be stored; undefined when this browser cannot. A logo keeps its shape. */
export async function encodeCrop(
  kind: PictureTexts,
  picture: ImageBitmap,
  crop: Crop,
): Promise<File | undefined> {
  const part = partOf(picture, crop);
  const size =
    kind === "picture"
      ? { width: AVATAR_SIZE_PX, height: AVATAR_SIZE_PX }
      : sizeWithin(LOGO_BOX_PX, part);
  const drawn = (scale: number) => {
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(size.width * scale);
    canvas.height = Math.ceil(size.height * scale);
    const { width, height } = canvas;
    draw(canvas, kind, picture, part, { left: 0, top: 0, width, height });
    return canvas;
  };
  const hasAlpha = kind !== "picture" && isSeeThrough(drawn(1));
  const blob = await encodeWithin(
    PICTURE_MAX_BYTES,
    { isForMails: false, hasAlpha },
    (type, scale) => new Promise((resolve) => drawn(scale).toBlob(resolve, type, QUALITY)),
  );
  return blob && new File([blob], "picture", { type: blob.type });
}

type Part = { left: number; top: number; width: number; height: number };

function draw(
  canvas: HTMLCanvasElement,
  kind: PictureTexts,
  picture: ImageBitmap,
  from: Part,
  to: Part,
): void {
  const context = canvas.getContext("2d", { alpha: kind !== "picture" });
  if (!context) return;
  context.clearRect(0, 0, canvas.width, canvas.height);
  if (kind === "picture") {
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.imageSmoothingQuality = "high";
  const source = [from.left, from.top, from.width, from.height] as const;
  context.drawImage(picture, ...source, to.left, to.top, to.width, to.height);
}
