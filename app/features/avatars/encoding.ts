import type { PictureType } from "../../ui/text/picture-name.ts";

type Encoded = { isForMails: boolean; hasAlpha: boolean };

/** Steps by which a picture that is too large shrinks. */
const SCALES = [1, 0.75, 0.5, 0.25];

/**
 * Returns the types to try for a picture, the best first. The brand's logo is also in mails and on home screens, where
 * WebP is not drawn. JPEG would lose transparency.
 */
function typesFor({ isForMails, hasAlpha }: Encoded): PictureType[] {
  if (isForMails) return hasAlpha ? ["image/png"] : ["image/png", "image/jpeg"];
  return hasAlpha ? ["image/webp", "image/png"] : ["image/webp", "image/jpeg", "image/png"];
}

/**
 * Returns the first encoding that really has its type and fits `maxBytes`, scaled down when none does; undefined when
 * the encoder makes none. WebKit answers a request for WebP with a PNG.
 */
export async function encodeWithin(
  maxBytes: number,
  encoded: Encoded,
  encode: (type: PictureType, scale: number) => Promise<Blob | null>,
): Promise<Blob | undefined> {
  for (const scale of SCALES) {
    for (const type of typesFor(encoded)) {
      const blob = await encode(type, scale);
      if (blob?.type === type && blob.size <= maxBytes) return blob;
    }
  }
  return undefined;
}
