/** Returns the address of a `mailto:` link; undefined for any other URL. */
export function emailOfLink(url: string): string | undefined {
  return /^mailto:(.+)/.exec(url)?.[1];
}
