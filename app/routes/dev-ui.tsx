import { LanguageMenu } from "../features/preferences/language-menu.tsx";
import { ThemeMenu } from "../features/preferences/theme-menu.tsx";
import { renderStyleGuide } from "../features/style-guide/style-guide.server.tsx";
import { i18nFor } from "../i18n/i18n.server.ts";
import { languageContext } from "../middleware/locale.ts";
import { ScreenTitle } from "../ui/document.tsx";
import { useTranslation } from "../ui/translation.tsx";
import type { Route } from "./+types/dev-ui.ts";
import { requireDeveloper } from "./dev-pages.server.ts";

export const handle = { i18n: "dev" };

/** Shows the primitives of `app/ui`. Only where the local inbox is shown. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireDeveloper(context);
  return { html: await renderStyleGuide(i18nFor(context.get(languageContext)), url) };
}

export default function StyleGuideScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("dev");
  return (
    <main className="mx-auto grid max-w-[90rem] gap-6 p-6">
      <ScreenTitle>{t("ui.title")}</ScreenTitle>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid gap-2">
          <h1 className="text-xl font-semibold">{t("ui.title")}</h1>
          <p className="text-muted">{t("ui.intro")}</p>
        </div>
        <div className="flex">
          <LanguageMenu />
          <ThemeMenu />
        </div>
      </div>
      <div
        className="grid gap-6 lg:grid-cols-2"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by React from constants of ours
        dangerouslySetInnerHTML={{ __html: loaderData.html }}
      />
    </main>
  );
}
