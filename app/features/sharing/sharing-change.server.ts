import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import type { Actor } from "../audit/audit.server.ts";
import { Id, Slug } from "../organizations/input.ts";
import {
  messageOf,
  ORGANIZATION_COMMANDS,
  type Outcome,
  type RefusalMessages,
} from "../organizations/office/organization-change.server.ts";
import type { OrganizationKey } from "../organizations/standing.server.ts";
import { shareRepository, unshareRepository } from "./sharing.server.ts";

/** Forms of the panel with a repository's organizations. */
export const SharingChange = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("share"), slug: Slug }),
  z.object({ intent: z.literal("unshare"), organization: Id }),
]);

export type SharingChange = z.infer<typeof SharingChange>;

/** Messages of refusals that read differently on a repository's screen. */
const REFUSALS: { [I in SharingChange["intent"]]: RefusalMessages } = {
  share: { ORGANIZATION_NOT_FOUND: "manager-organizations:refusal.noOrganization" },
  unshare: { REPOSITORY_NOT_FOUND: "manager-organizations:refusal.notShared" },
};

/** Shares a repository with an organization, or ends that, and returns the message to show. */
export async function changeSharing(
  db: Db,
  actor: Actor,
  repositoryId: string,
  change: SharingChange,
): Promise<Outcome> {
  const callOn = (key: OrganizationKey) => ({ db, actor, key, as: "manager" }) as const;
  const result =
    change.intent === "share"
      ? await shareRepository(callOn({ slug: change.slug }), repositoryId)
      : await unshareRepository(callOn({ id: change.organization }), repositoryId);
  if (result.ok) return { ok: true, message: ORGANIZATION_COMMANDS[change.intent].done };
  const { code } = result;
  return { ok: false, code, message: messageOf(code, REFUSALS[change.intent]) };
}
