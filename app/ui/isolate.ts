/** Text of people's own inside a sentence, kept from mixing its direction with the sentence's (Unicode FSI and PDI). */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}
