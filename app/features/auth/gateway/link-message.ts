import type { CheckedMessage } from "../../../ui/text/message.tsx";

/**
 * Returns the account screen's message for an account that could not be linked, by the gateway's or the redirect's
 * error code.
 */
export function linkMessageFor(code: string): CheckedMessage {
  switch (code) {
    case "access_denied":
      return "account:linked.refused";
    case "account_already_linked_to_different_user":
    case "CONFLICT":
      return "account:linked.taken";
    case "email_does_not_match":
      return "account:linked.otherAddress";
    case "unable_to_link_account":
      return "account:linked.unverified";
    case "PROVIDER_NOT_FOUND":
    case "TOO_MANY_REQUESTS":
    case "SERVICE_UNAVAILABLE":
    case "SESSION_EXPIRED":
    case "PASSKEY_REQUIRED":
    case "EMAIL_NOT_VERIFIED":
    case "EMAIL_DOMAIN_NOT_ALLOWED":
      return `codes:${code}`;
    default:
      return "account:linked.failed";
  }
}
