/** Roles of users, the highest first. An admin has every permission. */
export const ROLES = ["admin", "support", "auditor", "user"] as const;

export type Role = (typeof ROLES)[number];

/** Roles of members of an organization, the highest first. */
export const ORGANIZATION_ROLES = ["owner", "admin", "member"] as const;

export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];
