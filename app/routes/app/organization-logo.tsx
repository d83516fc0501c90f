import { href } from "react-router";
import { readPictureForm, refusePicture } from "../../features/avatars/picture-form.server.ts";
import { PictureScreen } from "../../features/avatars/picture-screen.tsx";
import { deletePicture, storePicture } from "../../features/avatars/picture-store.server.ts";
import { OWN_ACTS } from "../../features/organizations/acts.ts";
import { changeLogo } from "../../features/organizations/organization-logo.server.ts";
import { OrganizationLogo } from "../../features/organizations/organization-logo.tsx";
import {
  loadFrame,
  loadFrameForChange,
} from "../../features/organizations/organization-page.server.ts";
import { findRefusal } from "../../features/organizations/standing.server.ts";
import { invalid } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { forbidden } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { callOf, requirePage, visitorOf } from "../../middleware/organization-call.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/organization-logo.ts";

export const handle = { i18n: ["organizations", "pictures"] };

export async function loader(args: Route.LoaderArgs) {
  const isAvailable = args.context.get(servicesContext).avatars !== undefined;
  return { ...(await requireLogo(args, (db, visitor) => loadFrame(db, visitor))), isAvailable };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const call = await callOf({ context, params }, OWN_ACTS.logo);
  const { avatars } = context.get(servicesContext);
  const { afterAnswer } = context.get(requestContext);
  const form = await readPictureForm(request);
  // Asked before the picture is stored, so that only members who may change the logo store one.
  const { organization, closed } = await requireLogo({ context, params, url }, loadFrameForChange);
  if (!avatars) return refusePicture("logo", "unavailable");
  if (closed) return refuse(closed);
  if (!form.ok) return refusePicture("logo", form.reason);

  const owner = { organization: organization.id };
  const stored = form.picture && (await storePicture(avatars, owner, form.picture));
  if (stored && !stored.ok) return refusePicture("logo", stored.error);
  const logo = stored?.name ?? null;
  const changed = await changeLogo(call, logo);
  afterAnswer(() => deletePicture(avatars, "logo", changed.ok ? organization.logo : logo));
  if (!changed.ok) return refuse(`codes:${changed.code}`);
  return redirectWithToast(settingsPath(organization), {
    kind: "success",
    message: `organizations:logo.${logo === null ? "removed" : "changed"}`,
  });
}

export const clientAction = sendForm;

export default function OrganizationLogoScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("organizations");
  const { organization, closed, isAvailable } = loaderData;
  return (
    <>
      <ScreenTitle>{t("logo.title")}</ScreenTitle>
      <PictureScreen
        kind="logo"
        current={<OrganizationLogo {...organization} size="lg" />}
        hasPicture={organization.logo !== null}
        above={{ to: settingsPath(organization), name: organization.name }}
        isAvailable={isAvailable}
        closed={closed}
        result={actionData}
      />
    </>
  );
}

/** Finds the organization for a member who may change its logo; answers 404 and 403 to others. */
async function requireLogo(
  { context, params, url }: Pick<Route.LoaderArgs, "context" | "params" | "url">,
  load: typeof loadFrameForChange,
) {
  const visitor = visitorOf({ context, params });
  const { db } = context.get(servicesContext);
  const { frame } = requirePage(await load(db, visitor), url, params.slug);
  const code = findRefusal(frame, ["organization", "update"], "member")?.code;
  if (code === "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION") forbidden();
  const { id, name, slug, logo } = frame;
  return { organization: { id, name, slug, logo }, closed: code && `codes:${code}` };
}

function settingsPath({ slug }: { slug: string }) {
  return href("/app/organizations/:slug/settings", { slug });
}

function refuse(error: string) {
  const errors = { picture: [error] };
  return invalid({ values: {}, errors });
}
