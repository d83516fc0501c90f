import { eq } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { user } from "../../../db/schema/schema.ts";
import type { CheckedMessage } from "../../../ui/text/message.tsx";
import type { Actor } from "../../audit/audit.server.ts";
import { createOrganization } from "../settings/organization-commands.server.ts";
import { proposeAnother, proposeSlug } from "../settings/propose-slug.server.ts";
import type { OrganizationForUser } from "./input.ts";

type Created =
  | { ok: true; id: string }
  | { ok: false; field: keyof OrganizationForUser; message: CheckedMessage };

/**
 * Creates an organization whose owner is an existing user. Without a slug it proposes one from the
 * name. A refusal names the field that it is about.
 */
export async function createForUser(
  db: Db,
  actor: Actor,
  { name, slug, ownerEmail }: OrganizationForUser,
): Promise<Created> {
  const [owner] = await db.select({ id: user.id }).from(user).where(eq(user.email, ownerEmail));
  if (!owner) {
    return { ok: false, field: "ownerEmail", message: "manager-organizations:refusal.noUser" };
  }
  const create = (chosen: string) =>
    createOrganization(db, actor, { name, slug: chosen, ownerId: owner.id });
  const proposed = slug ?? (await proposeSlug(name));
  let created = await create(proposed);
  const isTaken = !created.ok && created.code === "ORGANIZATION_SLUG_ALREADY_TAKEN";
  if (isTaken && !slug) created = await create(proposeAnother(proposed));
  if (created.ok) return { ok: true, id: created.id };
  if (created.code === "ORGANIZATION_SLUG_ALREADY_TAKEN") {
    return { ok: false, field: "slug", message: `codes:${created.code}` };
  }
  return {
    ok: false,
    field: "ownerEmail",
    message: "manager-organizations:refusal.tooManyOrganizations",
  };
}
