// Triggers keep the limits of rows; the screens say them.

export const MAX_ORGANIZATIONS = 10;

/** In characters. */
export const SLUG_MIN_LENGTH = 3;
export const SLUG_MAX_LENGTH = 48;

/** Days in which an invitation, or an offer of ownership, can be accepted. The texts say seven. */
export const INVITATION_DAYS = 7;
/** Wait between two mails of one invitation. */
export const RESEND_SECONDS = 60;
/** Mails of one invitation. */
export const MAX_SENDS = 5;
/** E-mails in one form. */
export const MAX_INVITED_AT_ONCE = 50;

/** People who can join by one link. */
export const MAX_LINK_USES = 100;
/**
 * Days for which a link can be valid, as its form has them. A check of the database has the
 * largest.
 */
export const LINK_DAYS = ["1", "7", "30"] as const;
