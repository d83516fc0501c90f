export const MAIL_STATES = ["waiting", "sent", "expired", "failed"] as const;
