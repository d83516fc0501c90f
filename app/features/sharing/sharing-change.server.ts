import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import type { PageChange } from "../../feature.server.ts";
import type { Actor } from "../audit/audit.server.ts";
import { Id, Slug } from "../organizations/input.ts";
import {
  messageOf,
  type Outcome,
  officeForm,
  type RefusalMessages,
} from "../organizations/office/organization-change.server.ts";
import { type OrganizationKey, refuse } from "../organizations/standing.server.ts";
import { findRepositoryByName } from "../repositories/repositories.server.ts";
import { SHARING_ACTS } from "./acts.ts";
import { shareRepository, unshareRepository } from "./sharing.server.ts";

/** Forms of the panel with a repository's organizations. */
export const SharingChange = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("share"), slug: Slug }),
  z.object({ intent: z.literal("unshare"), organization: Id }),
]);

type SharingChange = z.infer<typeof SharingChange>;

/** What both kinds of screens say. */
const DONE = {
  share: "manager-organizations:toast.shared",
  unshare: "manager-organizations:toast.unshared",
} as const;

/** The same for the panel with an organization's repositories. */
export const OFFICE_FORMS = {
  share: officeForm(
    SHARING_ACTS.share,
    z.object({
      intent: z.literal("share"),
      repositoryName: z.string({ error: "validation:name.required" }).max(500),
    }),
    {
      run: async (call, { repositoryName }) => {
        // Names are unique.
        const found = await findRepositoryByName(call.db, repositoryName);
        return found ? shareRepository(call, found.id) : refuse("REPOSITORY_NOT_FOUND");
      },
      done: DONE.share,
      refusals: { REPOSITORY_NOT_FOUND: "manager-organizations:refusal.noRepository" },
      fields: { REPOSITORY_NOT_FOUND: "repositoryName" },
    },
  ),
  unshare: officeForm(
    SHARING_ACTS.unshare,
    z.object({ intent: z.literal("unshare"), repository: Id }),
    { run: (call, { repository: id }) => unshareRepository(call, id), done: DONE.unshare },
  ),
};

/** Messages of refusals that read differently on a repository's screen. */
const REFUSALS: { [I in SharingChange["intent"]]: RefusalMessages } = {
  share: { ORGANIZATION_NOT_FOUND: "manager-organizations:refusal.noOrganization" },
  unshare: { REPOSITORY_NOT_FOUND: "manager-organizations:refusal.notShared" },
};

/** The same for the panel with a repository's organizations. */
export const REPOSITORY_CHANGES: readonly PageChange[] = SharingChange.options.map((input) => ({
  in: "repositories:office",
  input,
  act: SHARING_ACTS[input.shape.intent.value],
  run: (db, actor, id, form) => changeSharing(db, actor, id, SharingChange.parse(form)),
}));

/** Shares a repository with an organization, or ends that, and returns the message to show. */
async function changeSharing(
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
  if (result.ok) return { ok: true, message: DONE[change.intent] };
  const { code } = result;
  const message = messageOf(code, REFUSALS[change.intent]);
  return change.intent === "share"
    ? { ok: false, code, message, field: "slug" }
    : { ok: false, code, message };
}
