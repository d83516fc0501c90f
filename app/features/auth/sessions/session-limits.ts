/** A session ends after 30 days without use. Use extends it once a day, up to 90 days after the sign-in. */
export const SESSION_IDLE_DAYS = 30;
export const SESSION_ABSOLUTE_DAYS = 90;
export const SESSION_REFRESH_DAYS = 1;
