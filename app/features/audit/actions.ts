import type { AuditRow } from "../../feature.ts";
import { type Joined, joined, type KeysOf } from "../../features.ts";

/** Objects that the events of some groups are about. */
const OF_USER = ["user"] as const;
const OF_MEMBER = ["organization", "member", "user"] as const;
const OF_INVITATION = ["organization", "invitation"] as const;

/** The actions of the core. The texts in `events.json` have the same keys. */
const CORE_EVENTS = {
  "user.created": { icon: "user-plus", webhook: { type: "user.created", for: "site" } },
  "user.invited": { icon: "user-plus" },
  "user.signed_in": {
    icon: "log-in",
    webhook: { type: "session.started", for: "site", ids: OF_USER },
  },
  "user.signed_out": {
    icon: "log-out",
    webhook: { type: "session.ended", for: "site", ids: OF_USER },
  },
  "user.onboarded": { icon: "circle-check", webhook: { type: "user.onboarded", for: "site" } },
  "user.terms_accepted": { icon: "circle-user" },
  "user.promoted": { icon: "circle-user", webhook: { type: "user.role_changed", for: "site" } },
  "user.updated": { icon: "pencil", webhook: { type: "user.updated", for: "site" } },
  "user.methods_removed": { icon: "circle-user" },
  "user.methods_kept": { icon: "key-round" },
  "user.passkey_released": { icon: "fingerprint-pattern" },
  "user.mail_allowed": { icon: "mail" },
  "user.banned": { icon: "ban", webhook: { type: "user.banned", for: "site" } },
  "user.unbanned": { icon: "circle-user", webhook: { type: "user.unbanned", for: "site" } },
  "user.deleted": { icon: "trash-2", webhook: { type: "user.deleted", for: "site" } },
  "user.email_changed": { icon: "circle-user", webhook: { type: "user.updated", for: "site" } },
  "user.deletion_started": {
    icon: "trash-2",
    webhook: { type: "user.deletion_started", for: "site" },
  },
  "user.deletion_cancelled": {
    icon: "circle-user",
    webhook: { type: "user.deletion_cancelled", for: "site" },
  },
  "user.erased": { icon: "trash-2", webhook: { type: "user.deleted", for: "site" } },
  "user.impersonated": {
    icon: "user-round-check",
    webhook: { type: "session.impersonation_started", for: "site", ids: OF_USER },
  },
  "user.impersonation_stopped": {
    icon: "user-round-check",
    webhook: { type: "session.impersonation_ended", for: "site", ids: OF_USER },
  },
  "user.avatar_changed": { icon: "image-up", webhook: { type: "user.updated", for: "site" } },
  "user.avatar_removed": { icon: "circle-user", webhook: { type: "user.updated", for: "site" } },
  "user.data_downloaded": { icon: "download" },
  "user.language_changed": { icon: "languages" },
  "user.theme_changed": { icon: "sun" },
  "account.linked": { icon: "key-round" },
  "account.unlinked": { icon: "key-round" },
  "passkey.added": { icon: "fingerprint-pattern" },
  "passkey.renamed": { icon: "fingerprint-pattern" },
  "passkey.removed": { icon: "fingerprint-pattern" },
  "session.confirmed": { icon: "monitor" },
  "session.revoked": {
    icon: "monitor",
    webhook: { type: "session.ended", for: "site", ids: OF_USER },
  },
  "session.revoked_all": {
    icon: "monitor",
    webhook: { type: "session.ended", for: "site", ids: OF_USER },
  },
  "session.revoked_others": {
    icon: "monitor",
    webhook: { type: "session.ended", for: "site", ids: OF_USER },
  },
  "mail.retried": { icon: "mail" },
  "organization.created": {
    icon: "building-2",
    webhook: { type: "organization.created", for: "site" },
  },
  "organization.updated": { icon: "pencil", webhook: { type: "organization.updated", for: "all" } },
  "organization.logo_changed": {
    icon: "building-2",
    webhook: { type: "organization.updated", for: "all" },
  },
  "organization.logo_removed": {
    icon: "building-2",
    webhook: { type: "organization.updated", for: "all" },
  },
  "organization.disabled": { icon: "ban", webhook: { type: "organization.disabled", for: "site" } },
  "organization.enabled": {
    icon: "building-2",
    webhook: { type: "organization.enabled", for: "all" },
  },
  "organization.deletion_started": {
    icon: "trash-2",
    webhook: { type: "organization.deletion_started", for: "site" },
  },
  "organization.deletion_cancelled": {
    icon: "building-2",
    webhook: { type: "organization.deletion_cancelled", for: "all" },
  },
  "organization.erased": {
    icon: "trash-2",
    webhook: { type: "organization.deleted", for: "site" },
  },
  "member.added": {
    icon: "user-plus",
    webhook: { type: "member.added", for: "all", ids: OF_MEMBER },
  },
  "member.joined": {
    icon: "user-plus",
    webhook: { type: "member.added", for: "all", ids: OF_MEMBER },
  },
  "member.role_changed": {
    icon: "users",
    webhook: { type: "member.role_changed", for: "all", ids: OF_MEMBER },
  },
  "member.removed": {
    icon: "users",
    webhook: { type: "member.removed", for: "all", ids: OF_MEMBER },
  },
  "member.left": {
    icon: "log-out",
    webhook: { type: "member.removed", for: "all", ids: OF_MEMBER },
  },
  "member.ownership_transferred": {
    icon: "users",
    webhook: { type: "member.role_changed", for: "all", ids: OF_MEMBER },
  },
  "invitation.sent": {
    icon: "mail",
    webhook: { type: "invitation.created", for: "all", ids: OF_INVITATION },
  },
  "invitation.resent": {
    icon: "mail",
    webhook: { type: "invitation.resent", for: "all", ids: OF_INVITATION },
  },
  "invitation.cancelled": {
    icon: "mail",
    webhook: { type: "invitation.cancelled", for: "all", ids: OF_INVITATION },
  },
  "invitation.declined": {
    icon: "mail",
    webhook: { type: "invitation.declined", for: "all", ids: OF_INVITATION },
  },
  "invitation.link_created": {
    icon: "user-plus",
    webhook: { type: "invitation.link_created", for: "all" },
  },
  "invitation.link_revoked": {
    icon: "user-plus",
    webhook: { type: "invitation.link_revoked", for: "all" },
  },
  "settings.changed": { icon: "settings" },
} as const satisfies { readonly [action: `${string}.${string}`]: AuditRow };

/** Name of an audited event. Triggers record sign-ups, sign-ins, linked accounts and added passkeys. */
export type AuditAction = keyof typeof CORE_EVENTS | KeysOf<"audit">;

/** All audited events, as `<thing>.<event>`. */
export const AUDIT_EVENTS: typeof CORE_EVENTS & Joined<"audit"> = {
  ...CORE_EVENTS,
  ...joined("audit"),
};

export const AUDIT_ACTIONS = Object.keys(AUDIT_EVENTS) as [AuditAction, ...AuditAction[]];

/** Returns the kind of things that an action is about: its text before the dot. */
export function groupOf(action: string): string {
  return action.slice(0, action.indexOf("."));
}
