/**
 * Outcomes of a sign-in that no mail, session or audit event records. The step stands before the
 * dot, and the rule that decided after it:
 *
 * - `refused`: a code was asked for, and none was sent
 * - `limited`: the same, because of a limit that ends by itself
 * - `wrong`, `spent`: a wrong code; `spent` when it was the last try
 * - `dead`: a code or a link that nothing compares any more
 * - `entered`: the right code, or the link
 * - `denied`: the right code of a person who may not sign in, or a passkey or a provider's account
 *   of a banned person
 */
export const OUTCOMES = [
  "refused.closed",
  "refused.not_invited",
  "refused.domain",
  "refused.returned",
  "limited.captcha",
  "limited.address",
  "limited.mailbox",
  "limited.site",
  "limited.quota",
  "wrong.own",
  "wrong.others",
  "spent.own",
  "spent.others",
  "dead.expired",
  "dead.spent",
  "dead.link",
  "dead.link_only",
  "dead.address",
  "entered.code",
  "entered.link",
  "denied.banned",
  "denied.closed",
  "denied.not_invited",
  "denied.domain",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Rules by which a person without an account gets no code. */
export type AdmissionRule = "closed" | "not_invited" | "domain";

export const STEP_DAYS = 30;

/** What would become of a request for a code now. */
export type Verdict = AdmissionRule | "banned" | "returned" | "quota" | "sent";
