/** Longest reason, in characters, of a ban and of an impersonation. */
export const REASON_MAX_LENGTH = 500;
