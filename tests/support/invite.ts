import type { Browser } from "./client.ts";
import type { OrganizationRow } from "./organizations.ts";
import type { Gatehouse } from "./worker.ts";

/**
 * Invites one e-mail by the form of an organization. The status is 200 when the invitation was
 * made, which `id` names.
 */
export async function inviteByForm(
  gatehouse: Pick<Gatehouse, "d1">,
  browser: Browser,
  { id: organizationId, slug }: Pick<OrganizationRow, "id" | "slug">,
  { email, role = "member" }: { email: string; role?: string },
) {
  const fields = { intent: "invite", emails: email, role };
  const answer = await browser.submit(`/app/organizations/${slug}/invitations`, fields);
  const page = await answer.text();
  const id = await gatehouse.d1
    .prepare(
      "SELECT id FROM invitation WHERE organization_id = ? AND email = ? AND status = 'pending'",
    )
    .bind(organizationId, email)
    .first<string>("id");
  return { status: answer.status, id: id ?? "", page };
}

/** Cancels an invitation by the form of an organization. */
export function cancelByForm(
  browser: Browser,
  { slug }: Pick<OrganizationRow, "slug">,
  invitation: string,
) {
  return browser.submit(`/app/organizations/${slug}/invitations`, { intent: "cancel", invitation });
}
