import { data, href } from "react-router";
import { roleCan, roleMayDo } from "../../features/access/organization-permissions.ts";
import { actOfInvitation, OWN_ACTS } from "../../features/organizations/acts.ts";
import { boundedList } from "../../features/organizations/bounded-list.server.ts";
import { InvitationsForm } from "../../features/organizations/input.ts";
import {
  cancelInvitation,
  invitationUrl,
  resendInvitation,
} from "../../features/organizations/invitations/invitation-commands.server.ts";
import {
  createInvitationLink,
  revokeInvitationLink,
} from "../../features/organizations/invitations/invitation-links.server.ts";
import {
  INVITATION_STATES,
  InvitationList,
} from "../../features/organizations/invitations/invitation-list.tsx";
import { loadInvitations } from "../../features/organizations/invitations/invitation-queries.server.ts";
import type { InviteReport } from "../../features/organizations/invitations/invite-form.tsx";
import { linkToken } from "../../features/organizations/invitations/link-token.server.ts";
import { OrganizationFrame } from "../../features/organizations/organization-frame.tsx";
import { ownId } from "../../features/organizations/organization-page.server.ts";
import { FeaturePanels } from "../../features.ui.tsx";
import { type FormResult, invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { forbidden } from "../../http/responses.ts";
import { isProofMissing, requireOwner, requireProof } from "../../middleware/current-user.ts";
import { mailServices } from "../../middleware/mail-services.server.ts";
import {
  answerChange,
  callOf,
  requirePage,
  visitorOf,
} from "../../middleware/organization-call.server.ts";
import { openPanels } from "../../middleware/panels.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import type { Route } from "./+types/organization-invitations.ts";
import {
  doLinksOpenAccounts,
  inviteAll,
  mayOpenAccounts,
  resendAll,
} from "./invite-actions.server.ts";

export const handle = { i18n: "organizations" };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db, config, keys, publicSettings } = context.get(servicesContext);
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
  const { rows, state } = boundedList(
    invitations.map((row) => ({ ...row, url: invitationUrl(config.baseUrl, row.id, row.email) })),
    url,
    ({ email }) => email,
  );
  const settings = await publicSettings.current(visitor.now);
  const mayDo = (needs: Parameters<typeof roleMayDo>[1]) => roleMayDo(page.frame.role, needs);
  return {
    frame: page.frame,
    panels: panels.results(page.panelRows, mayDo),
    rowPanels: rowPanels.results(page.panelRows.slice(panels.statements.length), mayDo),
    rows,
    state,
    chosen,
    links: await Promise.all(
      page.links.map(async (link) => ({
        ...link,
        url: `${config.baseUrl}/invitations/links/${await linkToken(keys, link.id)}`,
      })),
    ),
    opensAccounts: mayOpenAccounts(context, settings),
    linksOpenAccounts: doLinksOpenAccounts(settings),
    now: visitor.now,
  };
}

type Answer = FormResult & {
  report?: InviteReport;
  needsAccount?: string[];
  resent?: InviteReport;
};

export async function action({ request, context, params }: Route.ActionArgs) {
  // An impersonation is closed before a proof is asked for.
  requireOwner(context);
  const form = await parseForm(request, InvitationsForm);
  const result: Answer = form.result;
  if (!form.ok) return invalid(result);
  const { value } = form;
  const act = value.intent === "invite" ? actOfInvitation(value.role) : OWN_ACTS[value.intent];
  const call = await callOf({ context, params }, act);
  const { findRefusedEmails } = context.get(servicesContext);
  const services = { ...mailServices(context), findRefusedEmails };
  const isFromMembers = "back" in value && value.back === "members";
  const to = href(
    isFromMembers ? "/app/organizations/:slug/members" : "/app/organizations/:slug/invitations",
    { slug: params.slug },
  );
  const ofOwner = actOfInvitation("owner");
  const isProved = !isProofMissing(context, ofOwner);
  switch (value.intent) {
    case "invite":
      return inviteAll(call, services, value, result);
    case "resend": {
      const sent = await resendInvitation(call, services, { id: value.invitation, isProved });
      // The role is known only from the invitation.
      if (!sent.ok && sent.code === "SESSION_EXPIRED") requireProof(context, ofOwner);
      return answerChange(sent, result, { to, message: "organizations:toast.resent" });
    }
    case "cancel":
      return answerChange(await cancelInvitation(call, value.invitation), result, {
        to,
        message: "organizations:toast.cancelled",
      });
    case "resend-all":
      return data({ ...result, resent: await resendAll(call, services, isProved) });
    case "create-link":
      return answerChange(await createInvitationLink(call, value), result, {
        to,
        message: "organizations:toast.linkCreated",
      });
    case "revoke-link":
      return answerChange(await revokeInvitationLink(call, value.link), result, {
        to,
        message: "organizations:toast.linkRevoked",
      });
  }
}

export const clientAction = sendForm;

export default function OrganizationInvitationsScreen({
  loaderData,
  actionData,
}: Route.ComponentProps) {
  const answer: Answer | undefined = actionData;
  const isOf = (intent: string) => answer?.values.intent === intent;
  const hasForm = isOf("invite") || isOf("create-link");
  return (
    <OrganizationFrame frame={loaderData.frame} part="invitations">
      {answer && !hasForm && <FormErrors errors={Object.values(answer.errors).flat()} />}
      <InvitationList
        {...loaderData}
        result={isOf("invite") ? answer : undefined}
        linkResult={isOf("create-link") ? answer : undefined}
        report={answer?.report}
        needsAccount={answer?.needsAccount ?? []}
        resent={answer?.resent}
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
