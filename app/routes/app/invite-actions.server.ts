import { data, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { rolesOf } from "../../features/access/permissions.ts";
import type { InvitationsForm } from "../../features/organizations/input.ts";
import {
  findInviter,
  findWaiting,
  type InvitationServices,
  invite,
  resendInvitation,
} from "../../features/organizations/invitations/invitation-commands.server.ts";
import type { OrganizationCall } from "../../features/organizations/standing.server.ts";
import type { PublicSettings } from "../../features/site-settings/public-settings.server.ts";
import type { FormResult } from "../../http/forms.server.ts";
import type { BulkItem } from "../../lists/bulk/bulk-report.ts";
import { getCurrentSession } from "../../middleware/current-user.ts";
import { refuseForm } from "../../middleware/organization-call.server.ts";
import { describeError, log } from "../../runtime/log.ts";
import type { CheckedMessage } from "../../ui/text/message.tsx";
import { Email } from "../../values/email.ts";
import { type Plan, rowsAtOnce } from "../../values/platform-limits.ts";
import type { Services } from "../../worker/services.server.ts";

/** The batch of `invite`. */
const STATEMENTS_OF_AN_INVITATION = 8;

/** Two reads, and the batch of `resendInvitation`. */
const STATEMENTS_OF_A_RESEND = 7;

type InviteForm = Extract<z.infer<typeof InvitationsForm>, { intent: "invite" }>;

/**
 * True when the user's invitations may open accounts: sign-up is open, or it is by invitation and
 * organizations' count, or the user is an admin of the site.
 */
export function mayOpenAccounts(
  context: Readonly<RouterContextProvider>,
  { signUpMode, organizationsAdmit }: PublicSettings,
): boolean {
  if (signUpMode !== "invitation") return signUpMode === "open";
  return organizationsAdmit || rolesOf(getCurrentSession(context).user).includes("admin");
}

/**
 * True when people without an account can create one by an invitation link. An admin's name on it
 * changes nothing.
 */
export function doLinksOpenAccounts({ signUpMode, organizationsAdmit }: PublicSettings): boolean {
  return signUpMode === "open" || (signUpMode === "invitation" && organizationsAdmit);
}

/** Sends all pending invitations again, and reports the outcome of each. */
export async function resendAll(
  call: OrganizationCall,
  services: InvitationServices & { plan: Plan },
  isProved: boolean,
): Promise<BulkItem[]> {
  const waiting = await findWaiting(call);
  const most = rowsAtOnce(services.plan, STATEMENTS_OF_A_RESEND);
  return Promise.all(
    waiting.map(async ({ id, email }, index): Promise<BulkItem> => {
      const refusal = index < most ? await resendOne(id) : "common:selection.rest";
      return { id, name: email, refusal };
    }),
  );

  async function resendOne(id: string): Promise<CheckedMessage | undefined> {
    const sent = await resendInvitation(call, services, { id, isProved });
    return sent.ok ? undefined : `codes:${sent.code as "SESSION_EXPIRED"}`;
  }
}

/**
 * Invites each e-mail on its own and reports the result of each, and for which the site opens no
 * account. The form keeps the e-mails that were refused, so that they can be corrected and sent
 * again.
 */
export async function inviteAll(
  call: OrganizationCall,
  services: InvitationServices & Pick<Services, "findRefusedEmails"> & { plan: Plan },
  { emails, role, team }: InviteForm,
  result: FormResult,
) {
  const found = await findInviter(call);
  if (!found.ok) return refuseForm(found, { ...result });
  const { name } = found.standing;
  let left = rowsAtOnce(services.plan, STATEMENTS_OF_AN_INVITATION);
  const items = await Promise.all(
    emails.map(async (typed): Promise<BulkItem> => {
      const refusal = await inviteOne(typed);
      return { id: typed, name: typed, refusal };
    }),
  );
  const refused = items.filter(({ refusal }) => refusal).map(({ name: email }) => email);
  const values = { ...result.values, emails: refused.join("\n") };
  const status = refused.length === items.length ? 409 : 200;
  const invited = items.filter(({ refusal }) => !refusal).map(({ name: typed }) => typed);
  const closed = await services.findRefusedEmails(invited);
  return data({ values, errors: {}, report: items, needsAccount: [...closed] }, { status });

  async function inviteOne(typed: string): Promise<CheckedMessage | undefined> {
    const { data: email } = Email.safeParse(typed);
    if (!email) return "validation:email.invalid";
    left -= 1;
    if (left < 0) return "common:selection.rest";
    try {
      const invited = await invite(call, services, name, { email, role, teamId: team });
      return invited.ok ? undefined : `codes:${invited.code as "INVITATION_LIMIT_REACHED"}`;
    } catch (error) {
      log("error", "request.failed", { request: call.actor.source.id, ...describeError(error) });
      return "common:errors.failed";
    }
  }
}
