import { href } from "react-router";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { Logo } from "../../../ui/text/logo.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { CLOSED_ENDPOINTS } from "../../auth/gateway/closed-endpoints.ts";
import { PreferencesMenu } from "../../preferences/preferences-menu.tsx";
import { CallList } from "../docs/call-list.tsx";
import { shownCalls } from "../docs/shown-calls.ts";
import type { Route } from "./+types/docs.ts";
import { apiErrors, describeApi } from "./api-description.server.ts";

export const handle = { i18n: "api" };

/** Shows all calls of programs, and what each takes and answers. */
export async function loader({ context }: Route.LoaderArgs) {
  return {
    groups: shownCalls(await describeApi(context)),
    errors: apiErrors(context),
    closed: Object.entries(CLOSED_ENDPOINTS),
  };
}

export default function ApiDocsScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("api");
  return (
    <div className="mx-auto grid max-w-3xl gap-6 px-4 pb-8">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <header className="flex min-h-16 items-center justify-between gap-4">
        <Logo />
        <div className="-me-2.5 flex">
          <PreferencesMenu />
        </div>
      </header>
      <main className="grid min-w-0 gap-6">
        <h1 className="text-xl font-semibold">{t("title")}</h1>
        <p className="text-muted">{t("intro")}</p>
        <p>
          <a
            href={href("/api/openapi.json")}
            className="text-accent-ink underline"
            dir="ltr"
            lang="en"
          >
            {href("/api/openapi.json")}
          </a>
        </p>
        <CallList {...loaderData} />
      </main>
    </div>
  );
}
