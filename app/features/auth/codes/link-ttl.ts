import { MAIL_LIMITS } from "../../../values/rate-limits.ts";

/**
 * Validity of the link in a mail with a sign-in code: longer than it takes until the next mail may leave, so that the
 * newest mail of a mailbox always opens it.
 */
export const LINK_TTL_MS = MAIL_LIMITS.codeInterval.windowMs + 2 * 60_000;
