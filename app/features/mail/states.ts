export const MAIL_STATES = ["waiting", "sent", "expired", "failed"] as const;

/** `provider_id` of a mail that was written to the local inbox instead of being sent. */
export const LOCAL_INBOX = "local-inbox";
