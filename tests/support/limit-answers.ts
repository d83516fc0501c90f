import { FEATURE_TESTS, withFeatures } from "./feature-tests.ts";

/** Each limit of the product for which somebody else cannot use it up, with the reason, where a test cannot show it. */
export const NOBODY_ELSE = withFeatures<string>(
  {
    TRUSTED_WRONG_CODES:
      "Only browsers that have signed in to the mailbox use it up, and the link goes on signing them in.",
    "ORGANIZATION_LIMITS.deletions": "Only people who may delete the organization use it up.",
    OTHER_ENDPOINTS: "Counted by IP address, as the endpoints that have limits of their own.",
    "USER_LIMITS.ownChanges": "Only the user's own forms use it up.",
    "USER_LIMITS.downloads": "Only the user's own downloads use it up.",
    "ORGANIZATION_LIMITS.slugs": "Only people who may rename the organization use it up.",
  },
  ({ limits }) => limits?.nobodyElse,
);

/** Limits that somebody else can use up, and why that cannot be otherwise. */
export const SOMEBODY_ELSE = withFeatures<string>(
  {
    "MAIL_LIMITS.newEmailCodes":
      "Three users who name an e-mail keep it from a fourth one for a day. Nobody has it yet, so none of them can be told from its owner, and more codes would be a way to fill a mailbox.",
    "CODE_LIMITS.mailboxes":
      "People of one network are asked for a captcha when others there have asked for three mailboxes. They solve it.",
    "CODE_LIMITS.mailboxesOfBusySite":
      "While the site is attacked, people of a network that has asked for 30 mailboxes wait. Trusted devices do not, and a captcha in its place keeps nobody waiting.",
  },
  ({ limits }) => limits?.somebodyElse,
);

/** Limits of the core of which a test shows that a stranger who uses them up leaves other people working. */
export const SHOWN = [
  "MAIL_LIMITS.codesAtOnce",
  "MAIL_LIMITS.codeInterval",
  "MAIL_LIMITS.earlyCodes",
  "MAIL_LIMITS.trustedCodesAtOnce",
  "MAIL_LIMITS.trustedCodes",
  "MAIL_LIMITS.ownCodes",
  "WRONG_CODES",
  "NEW_EMAILS",
  "ENDPOINT_LIMITS./email-otp/send-verification-otp",
  "ENDPOINT_LIMITS./sign-in/email-otp",
  "ENDPOINT_LIMITS./sign-in/social",
  "ENDPOINT_LIMITS./link-social",
  "ENDPOINT_LIMITS./passkey/generate-authenticate-options",
  "ENDPOINT_LIMITS./passkey/verify-authentication",
  "ENDPOINT_LIMITS./passkey/generate-register-options",
  "ENDPOINT_LIMITS./passkey/verify-registration",
  "INVITATION_LIMITS.toOne",
  "INVITATION_LIMITS.byUser",
  "INVITATION_LIMITS.byNewUser",
  "USER_LIMITS.changes",
] as const;

/** The same of features, whose tests are beside them. */
export const SHOWN_BY_FEATURES = FEATURE_TESTS.flatMap(({ limits }) => limits?.shown ?? []);
