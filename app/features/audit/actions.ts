/** Everything the audit records, as `<thing>.<what>`; the names in `events.json` follow it. */
export const AUDIT_ACTIONS = [
  "user.created",
  "user.signed_in",
  "user.signed_out",
  "user.onboarded",
  "user.promoted",
  "user.updated",
  "user.banned",
  "user.unbanned",
  "user.deleted",
  "user.impersonated",
  "user.impersonation_stopped",
  "user.avatar_changed",
  "user.avatar_removed",
  "user.data_downloaded",
  "account.linked",
  "account.unlinked",
  "passkey.added",
  "passkey.renamed",
  "passkey.removed",
  "session.confirmed",
  "session.revoked",
  "session.revoked_all",
  "session.revoked_others",
  "repository.created",
  "repository.updated",
  "repository.deleted",
  "repository.restored",
  "mail.retried",
] as const;

/** What happened. Sign-ups, sign-ins, linked accounts and added passkeys are recorded by triggers. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
