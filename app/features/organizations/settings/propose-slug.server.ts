import { SLUG_MAX_LENGTH, SLUG_MIN_LENGTH } from "../organization-limits.ts";
import { RESERVED_SLUGS } from "../slug.ts";

/**
 * Returns a slug for a name in any script: transliterated, or random when nothing can be transliterated (Chinese, an
 * emoji) or the result cannot be used. An isolate loads the tables of all scripts on first use, because its start would
 * take longer with them (decision record 056).
 */
export async function proposeSlug(name: string): Promise<string> {
  const { default: slugify } = await import("@sindresorhus/slugify");
  const slug = slugify(name.normalize("NFC")).slice(0, SLUG_MAX_LENGTH).replace(/-+$/, "");
  const isUsable = slug.length >= SLUG_MIN_LENGTH && !RESERVED_SLUGS.includes(slug);
  return isUsable ? slug : randomSlug();
}

/** Returns another slug for a name whose slug is taken. */
export function proposeAnother(slug: string): string {
  return `${slug.slice(0, SLUG_MAX_LENGTH - 5).replace(/-+$/, "")}-${randomLetters(4)}`;
}

function randomSlug(): string {
  return `org-${randomLetters(6)}`;
}

function randomLetters(count: number): string {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return [...bytes].map((byte) => letters[byte % letters.length]).join("");
}
