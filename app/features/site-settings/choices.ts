/** Who may create an account. */
export const SIGN_UP_MODES = ["open", "invitation", "closed"] as const;

export type SignUpMode = (typeof SIGN_UP_MODES)[number];

/** Whether plus-addresses of one mailbox may have an account each. */
export const PLUS_ADDRESSES = ["many", "one"] as const;

/** Domains of one rule. */
export const DOMAINS_AT_MOST = 100;

export const URL_MAX_LENGTH = 500;
