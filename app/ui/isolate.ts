/** Isolates a user's own text inside a translation, so that their directions do not mix (Unicode FSI and PDI). */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}
