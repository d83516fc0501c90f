/** Days between asking for the account's deletion and its end: long enough to notice the mail and think again. */
export const GRACE_DAYS = 7;
