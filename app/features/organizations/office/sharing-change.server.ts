import { z } from "zod";
import type { Db } from "../../../db/db.server.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import type { CheckedMessage } from "../../../ui/message.tsx";
import type { Actor } from "../../audit/audit.server.ts";
import { Id, Slug } from "../input.ts";
import { shareRepository, unshareRepository } from "../sharing/sharing.server.ts";
import type { OrganizationKey } from "../standing.server.ts";

/** Forms of the panel with a repository's organizations. */
export const SharingChange = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("share"), slug: Slug }),
  z.object({ intent: z.literal("unshare"), organization: Id }),
]);

export type SharingChange = z.infer<typeof SharingChange>;

type Outcome =
  | { ok: true; message: CheckedMessage }
  | { ok: false; code: ErrorCode; message: CheckedMessage };

/** Shares a repository with an organization, or ends that, and returns the message to show. */
export async function changeSharing(
  db: Db,
  actor: Actor,
  repositoryId: string,
  change: SharingChange,
): Promise<Outcome> {
  const callOn = (key: OrganizationKey) => ({ db, actor, key, as: "manager" }) as const;
  const isShare = change.intent === "share";
  const result = isShare
    ? await shareRepository(callOn({ slug: change.slug }), repositoryId)
    : await unshareRepository(callOn({ id: change.organization }), repositoryId);
  if (result.ok) {
    return { ok: true, message: `manager-organizations:toast.${isShare ? "shared" : "unshared"}` };
  }
  const { code } = result;
  const isUnknownSlug = isShare && code === "ORGANIZATION_NOT_FOUND";
  const message = isUnknownSlug
    ? "manager-organizations:refusal.noOrganization"
    : (`codes:${code}` as CheckedMessage);
  return { ok: false, code, message };
}
