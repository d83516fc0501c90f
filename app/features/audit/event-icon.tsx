import { IconDisc } from "../../ui/text/icon-disc.tsx";
import type { IconName } from "../../ui/text/icon-names.ts";

/** Icons of single actions, then of all actions of one kind of thing. */
const ICONS: Record<string, IconName> = {
  "user.created": "user-plus",
  "user.invited": "user-plus",
  "user.updated": "pencil",
  "user.signed_in": "log-in",
  "user.signed_out": "log-out",
  "user.methods_kept": "key-round",
  "user.passkey_released": "fingerprint-pattern",
  "user.onboarded": "circle-check",
  "user.banned": "ban",
  "user.deleted": "trash-2",
  "user.deletion_started": "trash-2",
  "user.erased": "trash-2",
  "user.impersonated": "user-round-check",
  "user.impersonation_stopped": "user-round-check",
  "user.avatar_changed": "image-up",
  "user.data_downloaded": "download",
  "user.language_changed": "languages",
  "user.theme_changed": "sun",
  "repository.created": "folder-plus",
  "repository.updated": "pencil",
  "repository.deleted": "trash-2",
  "organization.updated": "pencil",
  "organization.disabled": "ban",
  "organization.deletion_started": "trash-2",
  "organization.erased": "trash-2",
  "user.mail_allowed": "mail",
  "member.added": "user-plus",
  "member.joined": "user-plus",
  "member.left": "log-out",
  "team.renamed": "pencil",
  "team.deleted": "trash-2",
  user: "circle-user",
  users: "users",
  account: "key-round",
  api_key: "key-round",
  passkey: "fingerprint-pattern",
  session: "monitor",
  repository: "folder-git-2",
  mail: "mail",
  organization: "building-2",
  member: "users",
  invitation: "mail",
  team: "users",
  settings: "settings",
  "webhook.deleted": "trash-2",
  webhook: "webhook",
  waiting_list: "clock",
};

/** Bans and deletions, the only events in red. */
const SEVERE: readonly IconName[] = ["ban", "trash-2"];

export function EventIcon({ action }: { action: string }) {
  const kind = action.slice(0, action.indexOf("."));
  const name = ICONS[action] ?? ICONS[kind] ?? "scroll-text";
  return <IconDisc name={name} isSevere={SEVERE.includes(name)} />;
}
