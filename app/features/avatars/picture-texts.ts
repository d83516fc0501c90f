import type { PictureFault, PictureRefusal } from "./picture-size.ts";

/**
 * Namespace of each object of texts. The objects have equal keys: the texts of a user's picture and
 * of an organization's logo. What is said of all pictures is in the namespace `pictures`.
 */
export const NAMESPACES = {
  picture: "account",
  logo: "organizations",
} as const;

export type PictureTexts = keyof typeof NAMESPACES;

/** Returns the message of a refusal. */
export function pictureMessage(
  kind: PictureTexts,
  reason: PictureRefusal | PictureFault | "unavailable",
) {
  return reason === "unavailable"
    ? (`${NAMESPACES[kind]}:${kind}.unavailable` as const)
    : (`pictures:${reason}` as const);
}
