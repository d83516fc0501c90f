/** Who may create an account. */
export const SIGN_UP_MODES = ["open", "invitation", "closed"] as const;

export type SignUpMode = (typeof SIGN_UP_MODES)[number];
