/** Returns the prefix of every page title: the emoji, or else the name in brackets, or else nothing. */
export function titlePrefix({ name, emoji }: { name?: string; emoji?: string }): string {
  if (emoji) return `${emoji} `;
  return name ? `[${name}] ` : "";
}
