import { sizeWithin } from "./crop.ts";
import { encodeWithin } from "./encoding.ts";
import { readPicture } from "./picture-file.ts";
import {
  LOGO_BOX_PX,
  PICTURE_MAX_BYTES,
  type PictureRefusal,
  WIDE_MAX_SIDE_PX,
} from "./picture-size.ts";
import { isSeeThrough } from "./see-through.ts";

/** Use of a whole picture: a logo of pages, mails and icons, or a large picture of a page. */
export type WholePicture = "logo" | "wide";

const BOXES = {
  logo: LOGO_BOX_PX,
  wide: { width: WIDE_MAX_SIDE_PX, height: WIDE_MAX_SIDE_PX },
};

const QUALITY = 0.85;

/** A file to be stored, and the shape of its picture. */
export type FittedFile = { file: File; width: number; height: number };

type Fitted = ({ ok: true } & FittedFile) | { ok: false; error: PictureRefusal };

/**
 * Makes the file to be stored from a chosen one. It keeps the whole picture, its shape and its
 * transparency.
 */
export async function fitPicture(chosen: File, purpose: WholePicture): Promise<Fitted> {
  const read = await readPicture(chosen);
  if (!read.ok) return read;
  const { picture } = read;
  const size = sizeWithin(BOXES[purpose], picture);
  const drawn = (scale: number) => {
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(size.width * scale);
    canvas.height = Math.ceil(size.height * scale);
    const context = canvas.getContext("2d");
    if (context) context.imageSmoothingQuality = "high";
    context?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return canvas;
  };
  const hasAlpha = isSeeThrough(drawn(1));
  const blob = await encodeWithin(
    PICTURE_MAX_BYTES,
    { isForMails: purpose === "logo", hasAlpha },
    (type, scale) => new Promise((resolve) => drawn(scale).toBlob(resolve, type, QUALITY)),
  );
  picture.close();
  if (!blob) return { ok: false, error: "notMade" };
  return { ok: true, file: new File([blob], chosen.name, { type: blob.type }), ...size };
}
