export const SIGN_UP_MODES = ["open", "invitation", "closed"] as const;

export type SignUpMode = (typeof SIGN_UP_MODES)[number];

/** Domains of one rule. */
export const DOMAINS_AT_MOST = 100;
