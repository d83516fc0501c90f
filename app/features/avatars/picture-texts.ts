/** Namespace of each object of texts. The objects have equal keys: the texts of a user's picture, and of a logo. */
export const NAMESPACES = { picture: "account", logo: "organizations" } as const;

export type PictureTexts = keyof typeof NAMESPACES;
