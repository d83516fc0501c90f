import { z } from "zod";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { changeAvatar, clearAvatar } from "../../features/avatars/avatar-store.server.ts";
import { PictureScreen } from "../../features/avatars/picture-screen.tsx";
import { AVATAR_MAX_BYTES, SOURCE_MAX_BYTES } from "../../features/avatars/picture-size.ts";
import { deletePicture } from "../../features/avatars/picture-store.server.ts";
import { invalid, readUpload } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requireOwner, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/document.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/picture.ts";

export const handle = { i18n: "account" };

/** A browser sends an empty file when none was chosen. */
const Upload = z.object({ picture: z.file().min(1).max(AVATAR_MAX_BYTES) });

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
  const form = await readUpload(request, {
    maxFileBytes: AVATAR_MAX_BYTES,
    discardBytes: SOURCE_MAX_BYTES,
  });
  if (!avatars) return refuse("unavailable");
  if (form === "too_large") return refuse("tooLarge", 413);

  if (form.get("intent") === "remove") {
    await clearAvatar(db, actor);
    return done("removed");
  }
  const upload = Upload.safeParse({ picture: form.get("picture") });
  if (!upload.success) {
    const isTooLarge = upload.error.issues.some(({ code }) => code === "too_big");
    return isTooLarge ? refuse("tooLarge", 413) : refuse("missing");
  }
  const bytes = new Uint8Array(await upload.data.picture.arrayBuffer());
  const changed = await changeAvatar({ db, bucket: avatars }, actor, bytes);
  return changed.ok ? done("changed") : refuse("notTaken");

  function done(what: "changed" | "removed") {
    context.get(requestContext).afterAnswer(() => deletePicture(avatars, "avatar", user.avatar));
    return redirectWithToast(accountPaths(areaOf(url)).account, {
      kind: "success",
      message: `account:picture.${what}`,
    });
  }
}

export default function OwnPictureScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("account");
  return (
    <>
      <ScreenTitle>{t("picture.title")}</ScreenTitle>
      <PictureScreen {...loaderData} result={actionData} />
    </>
  );
}

function refuse(reason: "unavailable" | "tooLarge" | "missing" | "notTaken", status = 400) {
  const result = { values: {}, errors: { picture: [`account:picture.${reason}`] } };
  return invalid(result, result.errors, { status });
}
