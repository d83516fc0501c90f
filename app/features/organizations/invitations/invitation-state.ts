import type { ReceivedInvitation } from "./invitation-answer.server.ts";

export type InvitationPageState = "open" | "foreign" | "expired" | "cancelled" | "used" | "invalid";

/**
 * Returns the state of an invitation for its reader. `email` is the reader's, undefined for an anonymous visitor.
 * `foreign` comes first: readers of another e-mail learn nothing about the invitation.
 */
export function pageStateOf(
  found: Pick<ReceivedInvitation, "email" | "status" | "expiresAt" | "isValid">,
  email: string | undefined,
  now: Date,
): InvitationPageState {
  if (email !== undefined && email !== found.email) return "foreign";
  switch (found.status) {
    case "accepted":
    case "rejected":
      return "used";
    case "canceled":
      return "cancelled";
    case "pending":
      if (found.expiresAt <= now) return "expired";
      return found.isValid ? "open" : "invalid";
  }
}
