/** Path of an organization's members. */
export function membersPath(slug: string): string {
  return `/app/organizations/${slug}/members`;
}

/** Path of an organization's settings. */
export function settingsPath(slug: string): string {
  return `/app/organizations/${slug}/settings`;
}
