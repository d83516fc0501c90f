import { z } from "zod";
import { loadMailLog, makeMailDue } from "../../features/mail/mail-log.server.ts";
import { MailLog } from "../../features/mail/mail-log.tsx";
import { parseForm } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requirePermission } from "../../middleware/require-user.ts";
import { servicesContext } from "../../services.server.ts";
import { ScreenTitle } from "../../ui/document.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/mail.ts";

export const handle = { i18n: "logs" };

const SendNow = z.object({ mail: z.string().max(64) });

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "apps", "manager");
  const { db } = context.get(servicesContext);
  return { ...(await loadMailLog(db, url)), now: context.get(requestContext).now() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requirePermission(context, "apps", "manager");
  const form = await parseForm(request, SendNow);
  if (!form.ok) notFound();
  const { db, mailer } = context.get(servicesContext);
  const { now, afterAnswer } = context.get(requestContext);
  const isDue = await makeMailDue(db, form.value.mail, now());
  if (isDue) afterAnswer(() => mailer.sendDue(now()));
  return redirectWithToast(url.pathname + url.search, {
    kind: isDue ? "success" : "info",
    message: isDue ? "logs:mail.toast.retried" : "logs:mail.toast.notWaiting",
  });
}

export default function MailScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("logs");
  return (
    <div className="grid gap-6">
      <ScreenTitle>{t("mail.title")}</ScreenTitle>
      <h1 className="text-xl font-semibold">{t("mail.title")}</h1>
      <MailLog {...loaderData} />
    </div>
  );
}
