/** Of a ban, and of acting as somebody. */
export const REASON_MAX_LENGTH = 500;
