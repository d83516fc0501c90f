import { href } from "react-router";
import { roleCan, roleMayDo } from "../../features/access/organization-permissions.ts";
import { actOfInvitation, OWN_ACTS } from "../../features/organizations/acts.ts";
import { boundedList } from "../../features/organizations/bounded-list.server.ts";
import { InvitationsForm } from "../../features/organizations/input.ts";
import {
  cancelInvitation,
  resendInvitation,
} from "../../features/organizations/invitations/invitation-commands.server.ts";
import {
  INVITATION_STATES,
  InvitationList,
} from "../../features/organizations/invitations/invitation-list.tsx";
import { loadInvitations } from "../../features/organizations/invitations/invitation-queries.server.ts";
import { OrganizationFrame } from "../../features/organizations/organization-frame.tsx";
import { ownId } from "../../features/organizations/organization-page.server.ts";
import { FeaturePanels } from "../../features.ui.tsx";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { forbidden } from "../../http/responses.ts";
import { isProofMissing, requireOwner } from "../../middleware/current-user.ts";
import { mailServices } from "../../middleware/mail-services.server.ts";
import {
  answerChange,
  callOf,
  requirePage,
  visitorOf,
} from "../../middleware/organization-call.server.ts";
import { openPanels } from "../../middleware/panels.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { PROOF_REQUIRED } from "../../ui/forms/proof.tsx";
import type { Route } from "./+types/organization-invitations.ts";
import { inviteAll, mayOpenAccounts } from "./invite-actions.server.ts";

export const handle = { i18n: "organizations" };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db, publicSettings } = context.get(servicesContext);
  const panels = openPanels(context, "inviteForm", ownId(visitor));
  const rowPanels = openPanels(context, "invitationRow", ownId(visitor));
  const loaded = await loadInvitations(db, visitor, [
    ...panels.statements,
    ...rowPanels.statements,
  ]);
  const page = requirePage(loaded, url, params.slug);
  if (!roleCan(page.frame.role, "invitation", "create")) forbidden();
  const chosen = INVITATION_STATES.find((name) => name === url.searchParams.get("state"));
  const invitations = page.invitations.filter((row) => !chosen || row.state === chosen);
  const { rows, state } = boundedList(invitations, url, ({ email }) => email);
  const opensAccounts = mayOpenAccounts(context, await publicSettings.current(visitor.now));
  const mayDo = (needs: Parameters<typeof roleMayDo>[1]) => roleMayDo(page.frame.role, needs);
  return {
    frame: page.frame,
    panels: panels.results(page.panelRows, mayDo),
    rowPanels: rowPanels.results(page.panelRows.slice(panels.statements.length), mayDo),
    rows,
    state,
    chosen,
    opensAccounts,
    now: visitor.now,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  // An impersonation is closed before a proof is asked for.
  requireOwner(context);
  const form = await parseForm(request, InvitationsForm);
  if (!form.ok) return invalid({ ...form.result, report: undefined });
  const { value, result } = form;
  if (value.intent === "invite" && isProofMissing(context, actOfInvitation(value.role))) {
    // What was typed stays in the form.
    return invalid({ ...result, report: undefined }, { "": [PROOF_REQUIRED] });
  }
  const act = value.intent === "invite" ? actOfInvitation(value.role) : OWN_ACTS[value.intent];
  const call = await callOf({ context, params }, act);
  const { findRefusedEmails } = context.get(servicesContext);
  const services = { ...mailServices(context), findRefusedEmails };
  const to = href("/app/organizations/:slug/invitations", { slug: params.slug });
  switch (value.intent) {
    case "invite":
      return inviteAll(call, services, value, result);
    case "resend":
      return answerChange(
        await resendInvitation(call, services, {
          id: value.invitation,
          isProved: !isProofMissing(context, actOfInvitation("owner")),
        }),
        result,
        { to, message: "organizations:toast.resent" },
      );
    case "cancel":
      return answerChange(await cancelInvitation(call, value.invitation), result, {
        to,
        message: "organizations:toast.cancelled",
      });
  }
}

export const clientAction = sendForm;

export default function OrganizationInvitationsScreen({
  loaderData,
  actionData,
}: Route.ComponentProps) {
  return (
    <OrganizationFrame frame={loaderData.frame} part="invitations">
      <InvitationList
        {...loaderData}
        result={actionData}
        report={actionData && "report" in actionData ? actionData.report : undefined}
        needsAccount={actionData && "needsAccount" in actionData ? actionData.needsAccount : []}
        more={({ teamId }) => (
          <FeaturePanels<"invitationRow">
            subject={{ teamId }}
            panels={loaderData.rowPanels}
            now={loaderData.now}
          />
        )}
      >
        <FeaturePanels<"inviteForm">
          subject={{ values: actionData?.values ?? {}, errors: actionData?.errors ?? {} }}
          panels={loaderData.panels}
          now={loaderData.now}
        />
      </InvitationList>
    </OrganizationFrame>
  );
}
