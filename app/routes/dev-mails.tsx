import { href } from "react-router";
import { MailFrame } from "../features/mail/mail-frame.tsx";
import { listGallery } from "../features/mail/mail-gallery.server.ts";
import { mailBrand } from "../features/site-settings/brand/shown-brand.ts";
import { requestContext } from "../http/request-context.ts";
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from "../i18n/languages.ts";
import { requireDeveloper } from "../middleware/dev-pages.server.ts";
import { languageContext } from "../middleware/locale.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { ScreenTitle, useDocument } from "../ui/layout/document.tsx";
import { PageIndex } from "../ui/layout/page-index.tsx";
import { PartLinks } from "../ui/layout/part-links.tsx";
import { useTranslation } from "../ui/text/translation.tsx";
import type { Route } from "./+types/dev-mails.ts";

export const handle = { i18n: ["dev", "logs"] };

/** Shows every mail of the product in the language of `?language=`. Only where the local inbox is shown. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireDeveloper(context);
  const chosen = url.searchParams.get("language");
  const language = isLanguage(chosen) ? chosen : context.get(languageContext);
  const { config, publicSettings, features } = context.get(servicesContext);
  const { brand } = await publicSettings.current(context.get(requestContext).now());
  const shownBrand = mailBrand(brand, config.baseUrl).of(language);
  return { language, mails: listGallery(language, shownBrand, features.mails) };
}

export default function MailsScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("dev");
  const { language: shown, mails } = loaderData;
  return (
    <main className="mx-auto grid max-w-[90rem] grid-cols-1 gap-6 px-4 py-6 md:px-6">
      <ScreenTitle>{t("mails.title")}</ScreenTitle>
      <div className="grid gap-2">
        <h1 className="text-xl font-semibold">{t("mails.title")}</h1>
        <p className="text-muted">
          {t("mails.intro", { product: useDocument().settings.brand.name })}
        </p>
      </div>
      <PartLinks
        label={t("mails.languages")}
        parts={LANGUAGES.map((language) => ({
          to: `${href("/dev/mails")}?language=${language}`,
          label: LANGUAGE_NAMES[language],
          lang: language,
          isCurrent: language === shown,
        }))}
      />
      <MailIndex mails={mails} />
      {mails.map((mail) => (
        <MailInThemes key={mail.id} mail={mail} language={shown} />
      ))}
    </main>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

function MailIndex({ mails }: Pick<Loaded, "mails">) {
  const { t } = useTranslation("dev");
  const { t: logs } = useTranslation("logs");
  const firsts = mails.filter(({ kind }, index) => kind !== mails[index - 1]?.kind);
  return (
    <PageIndex
      label={t("onThisPage")}
      className="grid! grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))]"
      parts={firsts.map(({ id, kind }) => ({ id, name: logs(`mail.kinds.${kind}`) }))}
    />
  );
}

function MailInThemes({
  mail,
  language,
}: { mail: Loaded["mails"][number] } & Pick<Loaded, "language">) {
  const { t } = useTranslation("dev");
  const { t: logs } = useTranslation("logs");
  return (
    <MailFrame id={mail.id}>
      <header className="grid gap-1">
        <h2 className="font-semibold">{logs(`mail.kinds.${mail.kind}`)}</h2>
        <p className="text-sm text-muted" lang={language} dir="auto">
          {mail.subject}
        </p>
      </header>
      <div className="grid gap-4 lg:grid-cols-2">
        {(["light", "dark"] as const).map((theme) => (
          <iframe
            key={theme}
            title={`${mail.subject} (${t(`mails.${theme}`)})`}
            srcDoc={mail.html[theme]}
            loading="lazy"
            sandbox=""
            className="h-[40rem] w-full rounded-md border border-line bg-page"
          />
        ))}
      </div>
      <details>
        <summary className="text-sm text-muted">{t("inbox.text")}</summary>
        <pre
          lang={language}
          dir="auto"
          className="mt-2 rounded-md bg-fill p-4 text-sm whitespace-pre-wrap"
        >
          {mail.text}
        </pre>
      </details>
    </MailFrame>
  );
}
