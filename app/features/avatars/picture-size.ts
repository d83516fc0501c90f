import type { PictureFacts } from "../../ui/text/picture-name.ts";

/** Width and height of a user's picture that the browser makes. */
export const AVATAR_SIZE_PX = 256;

/** The largest logo that the browser makes: a word mark stays wide. */
export const LOGO_BOX_PX = { width: 512, height: 256 };

/** Largest file that is stored. */
export const PICTURE_MAX_BYTES = 300_000;

/** Largest width and height. A manager's list shows many pictures, and a browser needs 4 bytes for each pixel. */
export const PICTURE_MAX_SIDE_PX = 1_024;

/** The same for a picture that fills a part of a page. */
export const WIDE_MAX_SIDE_PX = 1_600;

/** Largest file that the browser turns into a picture. */
export const SOURCE_MAX_BYTES = 20_000_000;

const NAME = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

export function isPictureName(name: string): boolean {
  return NAME.test(name);
}

/** A file without metadata, and what it shows. */
export type CleanPicture = PictureFacts & { bytes: Uint8Array };

/** Why a file is not stored: it moves, has too many pixels, or is no whole picture of its type. */
export type PictureFault = "animated" | "tooManyPixels" | "notTaken";

/** Why no file is sent, before the server has seen one. */
export type PictureRefusal = "tooLarge" | "svg" | "heic" | "notPicture" | "notMade" | "missing";

export function isTooBroad(
  { width, height }: { width: number; height: number },
  maxSide: number,
): boolean {
  return Math.max(width, height) > maxSide;
}
