import { z } from "zod";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { listNotices, markNoticesRead } from "../../features/notices/notice-list.server.ts";
import { NoticeList } from "../../features/notices/notice-list.tsx";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireOwner, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/notices.ts";

export const handle = { i18n: ["notices", "account"] };

/** `until` is the time of the list: what has come up since stays unread. */
const Reading = z.object({ until: z.coerce.number().int().positive() });

export async function loader({ context, url }: Route.LoaderArgs) {
  const current = requirePermission(context, "account", "update");
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  return {
    notices: await listNotices(db, current, now),
    isClosed: current.session.impersonatedBy !== null,
    accountPath: accountPaths(areaOf(url)).account,
    now,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requirePermission(context, "account", "update");
  const { user } = requireOwner(context);
  const form = await parseForm(request, Reading);
  if (!form.ok) return invalid(form.result);
  const now = context.get(requestContext).now();
  const until = new Date(Math.min(form.value.until, now.getTime()));
  await markNoticesRead(context.get(servicesContext).db, user.id, until);
  const { notices } = accountPaths(areaOf(url));
  return redirectWithToast(notices, { kind: "success", message: "notices:toast.read" });
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendForm(serverAction);
}

export default function NoticesScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("notices");
  return (
    <>
      <ScreenTitle>{t("title")}</ScreenTitle>
      <NoticeList {...loaderData} />
    </>
  );
}
