import { href } from "react-router";
import { z } from "zod";
import { loadMailLog } from "../../features/mail/mail-log.server.ts";
import { MailLog } from "../../features/mail/mail-log.tsx";
import { parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { answerList } from "../../lists/query/list-answer.server.ts";
import { requireActor, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { UtcNote } from "../../ui/text/clock-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import type { Route } from "./+types/mail.ts";

export const handle = { i18n: "logs" };

const Retry = z.object({ mail: z.string().max(64) });

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "mail", "read");
  const { db } = context.get(servicesContext);
  return answerList(context, url, {
    otherwise: { filters: {}, pause: undefined },
    load: (reader) => loadMailLog(db, url, reader),
  });
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const actor = requireActor(context, "mail", "retry");
  const form = await parseForm(request, Retry);
  if (!form.ok) notFound();
  const { mailer } = context.get(servicesContext);
  const isDue = await mailer.retry(actor, form.value.mail);
  if (isDue) context.get(requestContext).afterAnswer(mailer.wake);
  return redirectWithToast(url.pathname + url.search, {
    // The mail is sent after this answer.
    kind: isDue ? "loading" : "warning",
    message: isDue ? "logs:mail.toast.retried" : "logs:mail.toast.notRetried",
  });
}

export const clientAction = sendForm;

export default function MailScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("logs");
  const format = useFormat();
  const { pause, ...list } = loaderData;
  const { rows, now } = list;
  return (
    <div className="grid gap-4">
      <ScreenTitle>{t("mail.title")}</ScreenTitle>
      <ScreenHeader title={t("mail.title")} badges={rows.length > 0 && <UtcNote />}>
        <ButtonLink variant="secondary" isSmall to={href("/manager/mail/sign-in")}>
          {t("signIn.link")}
        </ButtonLink>
      </ScreenHeader>
      {pause && (
        <Notice kind="warning">
          {t(`mail.quota.${pause.quota}`, { when: format.ago(pause.until, now) })}
        </Notice>
      )}
      <MailLog {...list} />
    </div>
  );
}
