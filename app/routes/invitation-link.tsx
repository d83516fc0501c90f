import { href, redirect } from "react-router";
import { CODE_LENGTH } from "../features/auth/codes/code.ts";
import { GatePage } from "../features/auth/screens/gate-page.tsx";
import { OWN_ACTS } from "../features/organizations/acts.ts";
import { JoinForm } from "../features/organizations/input.ts";
import {
  findInvitationLink,
  joinByLink,
  linkStateOf,
} from "../features/organizations/invitations/invitation-links.server.ts";
import { LinkScreen } from "../features/organizations/invitations/link-screen.tsx";
import { readLinkToken } from "../features/organizations/invitations/link-token.server.ts";
import { EntryPage } from "../features/preferences/entry-page.tsx";
import { invalid, parseForm } from "../http/forms.server.ts";
import { sendForm } from "../http/lost-network.ts";
import { requestContext } from "../http/request-context.ts";
import { redirectWithToast } from "../http/toast.ts";
import { formatsOf } from "../i18n/formats.ts";
import { requireAct, requireOwner } from "../middleware/current-user.ts";
import { allowAnonymous } from "../middleware/guards.ts";
import { languageContext } from "../middleware/locale.ts";
import { findCurrentSession } from "../middleware/session.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { FormErrors } from "../ui/forms/form-errors.tsx";
import type { Route } from "./+types/invitation-link.ts";

export const handle = { i18n: "organizations" };

export const middleware: Route.MiddlewareFunction[] = [allowAnonymous];

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db, keys, config, publicSettings } = context.get(servicesContext);
  const { now, timeZone } = context.get(requestContext);
  const current = await findCurrentSession(context);
  const id = await readLinkToken(keys, params.token);
  const found = id
    ? await findInvitationLink(db, { id, userId: current?.user.id }, now())
    : undefined;
  const state = linkStateOf(found);
  const { signUpMode, organizationsAdmit } = await publicSettings.current(now());
  const opensAccount =
    !config.isDemo &&
    (signUpMode === "open" || (signUpMode === "invitation" && organizationsAdmit));
  const self = href("/invitations/links/:token", { token: params.token });
  return {
    state,
    ownEmail: current?.user.email,
    link: found && {
      organization: found.organizationName,
      organizationId: found.organizationId,
      // The path of an organization is for its members only.
      slug: state === "member" ? found.organizationSlug : undefined,
      inviter: found.inviterName,
      until: formatsOf(context.get(languageContext), timeZone).longMoment(found.expiresAt),
      loginPath: current
        ? undefined
        : `${href("/login")}?${new URLSearchParams({ redirect: self })}`,
      opensAccount,
    },
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const self = href("/invitations/links/:token", { token: params.token });
  if (!(await findCurrentSession(context))) {
    throw redirect(`${href("/login")}?${new URLSearchParams({ redirect: self })}`);
  }
  const { session } = requireOwner(context);
  const actor = requireAct(context, OWN_ACTS.answer);
  const form = await parseForm(request, JoinForm);
  if (!form.ok) return invalid(form.result);
  const { db, keys } = context.get(servicesContext);
  const id = await readLinkToken(keys, params.token);
  const joined = id
    ? await joinByLink(db, actor, { id, sessionId: session.id })
    : ({ ok: false, code: "INVITATION_NOT_FOUND" } as const);
  // The page shows why it was impossible.
  if (!joined.ok) {
    return redirectWithToast(self, {
      kind: "error",
      message: `codes:${joined.code as "CONFLICT"}`,
    });
  }
  return redirectWithToast(href("/app/organizations/:slug", { slug: joined.slug }), {
    kind: "success",
    message: "organizations:toast.joined",
  });
}

export const clientAction = sendForm;

export default function InvitationLinkRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    // The gate is open for a guest.
    <GatePage risen={loaderData.state === "open" ? CODE_LENGTH : 0}>
      <EntryPage>
        <FormErrors errors={actionData?.errors[""]} />
        <LinkScreen {...loaderData} />
      </EntryPage>
    </GatePage>
  );
}
