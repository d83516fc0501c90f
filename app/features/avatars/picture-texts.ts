/**
 * Namespace of each object of texts. The objects have equal keys: the texts of a user's picture, of an organization's
 * logo and of the brand's.
 */
export const NAMESPACES = {
  picture: "account",
  logo: "organizations",
  brandLogo: "settings",
} as const;

export type PictureTexts = keyof typeof NAMESPACES;
