import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { changeAvatar, clearAvatar } from "../../features/avatars/avatar-store.server.ts";
import { readPictureForm, refusePicture } from "../../features/avatars/picture-form.server.ts";
import { PictureScreen } from "../../features/avatars/picture-screen.tsx";
import { deletePicture } from "../../features/avatars/picture-store.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requireOwner, requirePermission } from "../../middleware/current-user.ts";
import { requireTurn } from "../../middleware/turn.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { Avatar } from "../../ui/text/avatar.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/picture.ts";

export const handle = { i18n: ["account", "pictures"] };

export function loader({ context, url }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "account", "update");
  return {
    user: { name: user.name, email: user.email, avatar: user.avatar },
    accountPath: accountPaths(areaOf(url)).account,
    isAvailable: context.get(servicesContext).avatars !== undefined,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const actor = requireActor(context, "account", "update");
  const { user } = requireOwner(context);
  const { db, avatars } = context.get(servicesContext);
  const form = await readPictureForm(request);
  if (!avatars) return refusePicture("picture", "unavailable");
  if (!form.ok) return refusePicture("picture", form.reason);
  await requireTurn(context, "ownChanges");

  if (form.picture === null) {
    await clearAvatar(db, actor);
    return done("removed");
  }
  const changed = await changeAvatar({ db, bucket: avatars }, actor, form.picture);
  return changed.ok ? done("changed") : refusePicture("picture", changed.error);

  function done(what: "changed" | "removed") {
    context.get(requestContext).afterAnswer(() => deletePicture(avatars, "avatar", user.avatar));
    return redirectWithToast(accountPaths(areaOf(url)).account, {
      kind: "success",
      message: `account:picture.${what}`,
    });
  }
}

export const clientAction = sendForm;

export default function OwnPictureScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("account");
  const common = useTranslation().t;
  const { user, accountPath, isAvailable } = loaderData;
  return (
    <>
      <ScreenTitle>{t("picture.title")}</ScreenTitle>
      <PictureScreen
        kind="picture"
        current={<Avatar {...user} size="lg" />}
        hasPicture={user.avatar !== null}
        above={{ to: accountPath, name: common("account.title") }}
        isAvailable={isAvailable}
        result={actionData}
      />
    </>
  );
}
