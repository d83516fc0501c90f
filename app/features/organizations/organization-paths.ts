/** Path of an organization's settings. */
export function settingsPath(slug: string): string {
  return `/app/organizations/${slug}/settings`;
}
