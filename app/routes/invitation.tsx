import { href, redirect } from "react-router";
import { CODE_LENGTH } from "../features/auth/codes/code.ts";
import { GatePage } from "../features/auth/screens/gate-page.tsx";
import { OWN_ACTS } from "../features/organizations/acts.ts";
import { AnswerForm } from "../features/organizations/input.ts";
import {
  acceptInvitation,
  declineInvitation,
  loadInvitation,
} from "../features/organizations/invitations/invitation-answer.server.ts";
import { InvitationScreen } from "../features/organizations/invitations/invitation-screen.tsx";
import { pageStateOf } from "../features/organizations/invitations/invitation-state.ts";
import { EntryPage } from "../features/preferences/entry-page.tsx";
import { isNewcomerAdmitted } from "../features/site-settings/admission-rules.server.ts";
import { FeaturePanels } from "../features.ui.tsx";
import { invalid, parseForm } from "../http/forms.server.ts";
import { sendForm } from "../http/lost-network.ts";
import { requestContext } from "../http/request-context.ts";
import { notFound } from "../http/responses.ts";
import { redirectWithToast } from "../http/toast.ts";
import { formatsOf } from "../i18n/formats.ts";
import { requireAct, requireOwner } from "../middleware/current-user.ts";
import { allowAnonymous } from "../middleware/guards.ts";
import { languageContext } from "../middleware/locale.ts";
import { openPanels } from "../middleware/panels.server.ts";
import { findCurrentSession } from "../middleware/session.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { FormErrors } from "../ui/forms/form-errors.tsx";
import { Email } from "../values/email.ts";
import type { Route } from "./+types/invitation.ts";

export const handle = { i18n: "organizations" };

export const middleware: Route.MiddlewareFunction[] = [allowAnonymous];

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext);
  const { now, timeZone } = context.get(requestContext);
  const panels = openPanels(context, "invitation", params.id, { id: "" });
  const loaded = await loadInvitation(db, params.id, now(), panels.statements);
  const found = loaded.found ?? notFound();
  const current = await findCurrentSession(context);
  const ownEmail = current?.user.email;
  const state = pageStateOf(found, ownEmail, now());
  const login = new URLSearchParams({ redirect: href("/invitations/:id", { id: found.id }) });
  // The e-mail comes from the link in the mail, never from the invitation, so the page does not reveal it.
  const { data: email } = Email.safeParse(url.searchParams.get("email"));
  if (email) login.set("email", email);
  if (state === "foreign") {
    return { state, ownEmail, id: found.id, invitation: undefined, panels: {}, now: now() };
  }
  const opensAccount =
    state === "open" && !current && (await isNewcomerAdmitted(db, config, found.email, now()));
  const isMember = current !== undefined && found.status === "accepted";
  return {
    state,
    id: found.id,
    ownEmail,
    // Everybody with the link sees the page.
    panels: panels.results(loaded.panelRows, () => false),
    now: now(),
    invitation: {
      organization: found.organizationName,
      organizationId: found.organizationId,
      // The path of an organization is for its members only.
      slug: isMember ? found.organizationSlug : undefined,
      role: found.role ?? ("member" as const),
      offer: found.memberId === null ? undefined : offerOf(found),
      inviter: found.inviterName,
      until: formatsOf(context.get(languageContext), timeZone).longMoment(found.expiresAt),
      loginPath: current ? undefined : `${href("/login")}?${login}`,
      opensAccount,
    },
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const self = href("/invitations/:id", { id: params.id });
  if (!(await findCurrentSession(context))) {
    throw redirect(`${href("/login")}?${new URLSearchParams({ redirect: self })}`);
  }
  const { user, session } = requireOwner(context);
  const actor = requireAct(context, OWN_ACTS.answer);
  const form = await parseForm(request, AnswerForm);
  if (!form.ok) return invalid(form.result);
  const { db } = context.get(servicesContext);
  const input = { id: params.id, sessionId: session.id, own: user };
  if (form.value.intent === "decline") {
    const declined = await declineInvitation(db, actor, input);
    return declined.ok
      ? redirectWithToast(href("/app/organizations"), {
          kind: "info",
          message: "organizations:toast.declined",
        })
      : refuse(declined.code);
  }
  const accepted = await acceptInvitation(db, actor, input);
  if (!accepted.ok) return refuse(accepted.code);
  const slug = accepted.invitation.organizationSlug;
  return redirectWithToast(href("/app/organizations/:slug", { slug }), {
    kind: "success",
    message: accepted.invitation.memberId
      ? "organizations:toast.offerAccepted"
      : "organizations:toast.joined",
  });

  // The page shows the state that made the answer impossible.
  function refuse(code: string) {
    return redirectWithToast(self, { kind: "error", message: `codes:${code as "CONFLICT"}` });
  }
}

function offerOf({ handsOver }: { handsOver: boolean }) {
  return handsOver ? ("handedOver" as const) : ("added" as const);
}

export const clientAction = sendForm;

export default function InvitationRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { panels, now, ...shown } = loaderData;
  return (
    // The gate is open for a guest.
    <GatePage risen={loaderData.state === "open" ? CODE_LENGTH : 0}>
      <EntryPage>
        <FormErrors errors={actionData?.errors[""]} />
        <InvitationScreen {...shown}>
          {shown.invitation && (
            <FeaturePanels<"invitation">
              subject={{ organization: shown.invitation.organization }}
              panels={panels}
              now={now}
            />
          )}
        </InvitationScreen>
      </EntryPage>
    </GatePage>
  );
}
