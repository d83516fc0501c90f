import { LanguageMenu } from "../features/preferences/language-menu.tsx";
import { LIVE_SPECIMENS } from "../features/style-guide/live-specimens.tsx";
import { GroupFrame } from "../features/style-guide/specimen-frame.tsx";
import { SpecimenIndex } from "../features/style-guide/specimen-index.tsx";
import { SPECIMEN_GROUPS } from "../features/style-guide/specimens.server.tsx";
import { renderStyleGuide } from "../features/style-guide/style-guide.server.tsx";
import { i18nFor } from "../i18n/i18n.server.ts";
import { LANGUAGE_NAMES, LANGUAGE_PARAM } from "../i18n/languages.ts";
import { languageContext } from "../middleware/locale.ts";
import { themeContext } from "../middleware/theme.ts";
import { isThemeChoice, THEME_CHOICES } from "../ui/forms/theme-choice.ts";
import { ScreenTitle, useDocument } from "../ui/layout/document.tsx";
import { useTranslation } from "../ui/text/translation.tsx";
import type { Route } from "./+types/dev-ui.ts";
import { requireDeveloper } from "./dev-pages.server.ts";

export const handle = { i18n: "dev" };

/** Draws the page in the theme that the URL asks for, so that each look has a link. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, url }) => {
    const wanted = url.searchParams.get("theme");
    if (isThemeChoice(wanted)) context.set(themeContext, wanted);
  },
];

/** Shows the primitives of `app/ui` and a list of `app/lists`. Only where the local inbox is shown. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireDeveloper(context);
  const html = await renderStyleGuide(i18nFor(context.get(languageContext)), url);
  const groups = SPECIMEN_GROUPS.map(({ name, specimens }) => ({
    name,
    parts: Object.keys(specimens),
  }));
  return { html, groups };
}

export default function StyleGuideScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("dev");
  return (
    <main className="mx-auto grid max-w-[90rem] gap-6 p-6">
      <ScreenTitle>{t("ui.title")}</ScreenTitle>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid flex-1 gap-2">
          <h1 className="text-xl font-semibold">{t("ui.title")}</h1>
          <p className="text-muted">{t("ui.intro")}</p>
        </div>
        <div className="-my-2 -me-3 sm:order-last">
          <LanguageMenu />
        </div>
        <Looks />
      </div>
      <div className="grid grid-cols-1 gap-6 xl:grid-cols-[13rem_minmax(0,1fr)]">
        <SpecimenIndex
          groups={[...loaderData.groups, { name: "live", parts: Object.keys(LIVE_SPECIMENS) }]}
        />
        <div>
          <div
            // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by React from constants of ours
            dangerouslySetInnerHTML={{ __html: loaderData.html }}
          />
          <div className="mt-4">
            <GroupFrame name="live" specimens={LIVE_SPECIMENS} />
          </div>
        </div>
      </div>
    </main>
  );
}

/** Links to the page in each direction and theme. */
function Looks() {
  const { t, i18n } = useTranslation();
  const { t: dev } = useTranslation("dev");
  const { theme } = useDocument();
  return (
    <nav
      aria-label={dev("ui.looks")}
      className="grid grid-cols-3 gap-x-4 text-sm max-sm:basis-full"
    >
      {(["en", "ar"] as const).flatMap((language) =>
        THEME_CHOICES.map((look) => (
          <a
            key={language + look}
            href={`?${LANGUAGE_PARAM}=${language}&theme=${look}`}
            aria-current={language === i18n.language && look === theme ? "page" : undefined}
            className="py-3 text-accent-ink underline sm:py-1 aria-[current]:text-ink aria-[current]:no-underline"
          >
            <bdi lang={language}>{LANGUAGE_NAMES[language]}</bdi> {t(`theme.${look}`)}
          </a>
        )),
      )}
    </nav>
  );
}
