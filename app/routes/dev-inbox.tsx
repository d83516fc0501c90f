import { href } from "react-router";
import { MailFrame } from "../features/mail/mail-frame.tsx";
import { requestContext } from "../http/request-context.ts";
import { formatsOf } from "../i18n/formats.ts";
import { requireDeveloper } from "../middleware/dev-pages.server.ts";
import { languageContext } from "../middleware/locale.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../ui/forms/button.tsx";
import { ScreenTitle } from "../ui/layout/document.tsx";
import { Logo } from "../ui/text/logo.tsx";
import { useTranslation } from "../ui/text/translation.tsx";
import type { Route } from "./+types/dev-inbox.ts";

export const handle = { i18n: "dev" };

const SHOWN_MAILS = 50;

/** Answers a program with the mails as JSON, under the same conditions as the screen. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }, next) => {
    if (request.headers.get("accept") !== "application/json") return next();
    requireDeveloper(context);
    const { mailer } = context.get(servicesContext);
    const mails = await mailer.listLocalInbox(SHOWN_MAILS, context.get(requestContext).now());
    return Response.json(
      mails.map(({ recipient, kind, subject, code, link, createdAt }) => ({
        to: recipient,
        kind,
        subject,
        code,
        link,
        createdAt,
      })),
    );
  },
];

/** Shows the local inbox. Only on a loopback host, and only without a mail provider. */
export async function loader({ context }: Route.LoaderArgs) {
  requireDeveloper(context);
  const { mailer } = context.get(servicesContext);
  const { moment } = formatsOf(context.get(languageContext));
  const { now } = context.get(requestContext);
  const mails = await mailer.listLocalInbox(SHOWN_MAILS, now());
  return { mails: mails.map((mail) => ({ ...mail, sentAt: moment(mail.createdAt) })) };
}

export default function InboxScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("dev");
  const { mails } = loaderData;
  return (
    <main className="mx-auto grid max-w-3xl gap-6 px-4 py-8">
      <ScreenTitle>{t("inbox.title")}</ScreenTitle>
      <Logo />
      <div className="grid gap-2">
        <h1 className="text-xl font-semibold">{t("inbox.title")}</h1>
        <p className="text-muted">{t("inbox.intro")}</p>
      </div>
      {mails.length === 0 && (
        <EmptyState title={t("inbox.empty")} text={t("inbox.emptyText")}>
          <ButtonLink to={href("/login")} isSmall>
            {t("inbox.toLogin")}
          </ButtonLink>
        </EmptyState>
      )}
      {mails.map((mail) => (
        <MailFrame key={mail.id}>
          <header className="grid gap-1">
            <h2 className="font-semibold" dir="auto">
              {mail.subject}
            </h2>
            <p className="flex flex-wrap gap-x-3 text-sm text-muted">
              <bdi>{mail.recipient}</bdi>{" "}
              <time dateTime={mail.createdAt.toISOString()} className="whitespace-nowrap">
                {mail.sentAt}
              </time>
            </p>
          </header>
          <iframe
            title={mail.subject}
            srcDoc={mail.html}
            sandbox="allow-popups allow-top-navigation-by-user-activation"
            className="h-[40rem] w-full rounded-md border border-line bg-page"
          />
          <details>
            <summary className="text-sm text-muted">{t("inbox.text")}</summary>
            <pre dir="auto" className="mt-2 rounded-md bg-fill p-4 text-sm whitespace-pre-wrap">
              {mail.text}
            </pre>
          </details>
        </MailFrame>
      ))}
    </main>
  );
}
