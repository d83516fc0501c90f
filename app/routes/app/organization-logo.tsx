import { PictureScreen } from "../../features/avatars/picture-screen.tsx";
import { deletePicture, storePicture } from "../../features/avatars/picture-store.server.ts";
import { changeLogo, findLogo } from "../../features/organizations/organization-logo.server.ts";
import { OrganizationLogo } from "../../features/organizations/organization-logo.tsx";
import { settingsPath } from "../../features/organizations/organization-paths.ts";
import { invalid } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { forbidden, notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requireOwner } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/document.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { readPictureForm, refusePicture } from "../picture-form.server.ts";
import type { Route } from "./+types/organization-logo.ts";

export const handle = { i18n: "organizations" };

export async function loader({ context, params }: Route.LoaderArgs) {
  const { organization, closed } = await requireLogo(context, params.slug);
  const isAvailable = context.get(servicesContext).avatars !== undefined;
  return { organization, closed, isAvailable };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requireOwner(context);
  const { avatars } = context.get(servicesContext);
  const { afterAnswer } = context.get(requestContext);
  const form = await readPictureForm(request);
  // Asked before the picture is stored, so that only members who may change the logo store one.
  const { call, organization, closed } = await requireLogo(context, params.slug);
  if (!avatars) return refusePicture("logo", "unavailable");
  if (closed) return refuse(closed);
  if (!form.ok) return refusePicture("logo", form.reason);

  const logo =
    form.picture && (await storePicture(avatars, { organization: organization.id }, form.picture));
  if (logo === undefined) return refusePicture("logo", "notTaken");
  const changed = await changeLogo(call, logo);
  afterAnswer(() => deletePicture(avatars, "logo", changed.ok ? organization.logo : logo));
  if (!changed.ok) return refuse(`codes:${changed.code}`);
  return redirectWithToast(settingsPath(organization.slug), {
    kind: "success",
    message: `organizations:logo.${logo === null ? "removed" : "changed"}`,
  });
}

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
        backTo={settingsPath(organization.slug)}
        isAvailable={isAvailable}
        closed={closed}
        result={actionData}
      />
    </>
  );
}

/** Finds the logo for a member who may change it; answers 404 and 403 to others. */
async function requireLogo(context: Route.LoaderArgs["context"], slug: string) {
  const { db } = context.get(servicesContext);
  const actor = requireActor(context, "apps", "app");
  const call = { db, actor, key: { slug }, as: "member" } as const;
  const found = (await findLogo(call)) ?? notFound();
  const code = found.refusal?.code;
  if (code === "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION") forbidden();
  return { call, organization: found.organization, closed: code && `codes:${code}` };
}

function refuse(error: string) {
  const errors = { picture: [error] };
  return invalid({ values: {}, errors });
}
