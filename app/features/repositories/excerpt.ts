/** More than one line of a wide screen. */
export const EXCERPT_LENGTH = 200;

/** Returns the start of a description's first line; null without a description. */
export function excerptOf(description: string | null): string | null {
  return description?.trim().split(/\r?\n/, 1)[0]?.slice(0, EXCERPT_LENGTH) || null;
}
