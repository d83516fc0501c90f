import { SLUG_MAX_LENGTH, SLUG_MIN_LENGTH } from "../organization-limits.ts";
import { RESERVED_SLUGS } from "../slug.ts";

/**
 * Returns a slug for a name in any script: transliterated, or random when nothing can be transliterated (Chinese, an
 * emoji) or the result cannot be used. An isolate loads the tables of all scripts on first use, because its start would
 * take longer with them (decision record 056).
 */
export async function proposeSlug(name: string): Promise<string> {
  const { default: slugify } = await import("@sindresorhus/slugify");
  // "GmbH" and "OpenAI" are one word each.
  const slug = cut(slugify(name.normalize("NFC"), { decamelize: false }), SLUG_MAX_LENGTH);
  const isUsable = slug.length >= SLUG_MIN_LENGTH && !RESERVED_SLUGS.includes(slug);
  return isUsable ? slug : randomSlug();
}

/** Returns another slug for a name whose slug is taken. */
export function proposeAnother(slug: string): string {
  return `${cut(slug, SLUG_MAX_LENGTH - 5)}-${randomLetters(4)}`;
}

/**
 * Returns a slug of at most so many characters, cut at a word's end unless the first words are too
 * short.
 */
function cut(slug: string, maximum: number): string {
  if (slug.length <= maximum) return slug;
  const end = slug.lastIndexOf("-", maximum);
  return slug.slice(0, end < SLUG_MIN_LENGTH ? maximum : end);
}

function randomSlug(): string {
  return `org-${randomLetters(6)}`;
}

function randomLetters(count: number): string {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return [...bytes].map((byte) => letters[byte % letters.length]).join("");
}
