/** Types of files that are stored, in the order of their numbers in names: never change it. */
export const PICTURE_TYPES = ["image/webp", "image/png", "image/jpeg"] as const;

export type PictureType = (typeof PICTURE_TYPES)[number];

export type PictureFacts = {
  type: PictureType;
  /** Pixels, as the picture is shown: a photograph may be stored lying on its side. */
  width: number;
  height: number;
  /** True for a file that can have transparent pixels. */
  hasAlpha: boolean;
};

/** All pictures whose names are random UUIDs of version 4. */
const UNNAMED_FACTS: PictureFacts = {
  type: "image/webp",
  width: 256,
  height: 256,
  hasAlpha: false,
};

const FACTS_DIGITS = 7;

/**
 * Returns a new name for a picture: a UUID of version 8 (RFC 9562, section 5.8) with 94 random
 * bits. Its last digits say the type and the size, so that a row that names a picture always has
 * the facts of that picture.
 */
export function newPictureName({ type, width, height, hasAlpha }: PictureFacts): string {
  const random = crypto.randomUUID();
  const kind = PICTURE_TYPES.indexOf(type) * 2 + Number(hasAlpha);
  const facts = ((kind << 24) | (width << 12) | height).toString(16).padStart(FACTS_DIGITS, "0");
  return `${random.slice(0, 14)}8${random.slice(15, -FACTS_DIGITS)}${facts}`;
}

/** Returns what the name of a picture says of it. */
export function factsOfPicture(name: string): PictureFacts {
  if (name[14] !== "8") return UNNAMED_FACTS;
  const facts = Number.parseInt(name.slice(-FACTS_DIGITS), 16);
  const type = PICTURE_TYPES[facts >> 25];
  if (!type) return UNNAMED_FACTS;
  return {
    type,
    width: (facts >> 12) & 0xfff,
    height: facts & 0xfff,
    hasAlpha: ((facts >> 24) & 1) === 1,
  };
}
