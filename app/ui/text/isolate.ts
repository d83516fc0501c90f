/** Isolates a user's own text inside a translation, so that their directions do not mix (Unicode FSI and PDI). */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

/**
 * Isolates a text that is read from left to right in each language, such as an e-mail or a signed
 * number (LRI, PDI).
 */
export function isolateLtr(text: string): string {
  return `\u2066${text}\u2069`;
}
