import { session, user } from "./schema/schema.ts";

// Rows of people and sessions, as better-auth's clients know them.

/** What clients may know of a user. */
export const CLIENT_USER = {
  id: user.id,
  name: user.name,
  email: user.email,
  emailVerified: user.emailVerified,
  image: user.image,
  role: user.role,
  banned: user.banned,
  banReason: user.banReason,
  banExpires: user.banExpires,
  onboardedAt: user.onboardedAt,
  language: user.language,
  deletionDueAt: user.deletionDueAt,
  lastSeenAt: user.lastSeenAt,
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
};

/** What clients may know of a session: never the token. */
export const CLIENT_SESSION = {
  id: session.id,
  userId: session.userId,
  expiresAt: session.expiresAt,
  ipAddress: session.ipAddress,
  userAgent: session.userAgent,
  place: session.place,
  impersonatedBy: session.impersonatedBy,
  lastSeenAt: session.lastSeenAt,
  activeOrganizationId: session.activeOrganizationId,
  activeTeamId: session.activeTeamId,
  createdAt: session.createdAt,
  updatedAt: session.updatedAt,
};

/**
 * Returns a session for a client. Its id stands where better-auth has the token, which never leaves the cookie: clients
 * name a session by this value, and it signs no one in.
 */
export function clientSession<Row extends { id: string }>(row: Row): Row & { token: string } {
  return { ...row, token: row.id };
}
