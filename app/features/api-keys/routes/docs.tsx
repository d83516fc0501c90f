import { href } from "react-router";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { FoldedPanel } from "../../../ui/layout/panel.tsx";
import { Logo } from "../../../ui/text/logo.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { PreferencesMenu } from "../../preferences/preferences-menu.tsx";
import { CallRows, ErrorList, OwnCalls } from "../docs/call-list.tsx";
import { SendYourKey } from "../docs/send-your-key.tsx";
import { shownCalls } from "../docs/shown-calls.ts";
import { useMadeKey } from "../docs/use-made-key.ts";
import { firstPath } from "../snippets.ts";
import type { Route } from "./+types/docs.ts";
import { apiErrors, describeApi } from "./api-description.server.ts";

export const handle = { i18n: ["api", "api-keys", "scopes"] };

/**
 * Shows how a program sends its key, and all calls of programs with what each takes and answers.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const { config, features } = context.get(servicesContext);
  return {
    ...shownCalls(await describeApi(context), features.api),
    errors: apiErrors(context),
    baseUrl: config.baseUrl,
    first: firstPath(features.api),
  };
}

export default function ApiDocsScreen({ loaderData }: Route.ComponentProps) {
  const { own, client, types, errors, baseUrl, first } = loaderData;
  const { t } = useTranslation("api");
  const made = useMadeKey();
  const tried = own
    .flatMap(({ calls }) => calls)
    .find(({ method, path }) => method === "GET" && path === first);
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
        <div className="grid gap-2">
          <p className="text-muted">{t("intro")}</p>
          <p>
            {t("tools")}{" "}
            <a
              href={href("/api/openapi.json")}
              className="text-accent-ink underline"
              dir="ltr"
              lang="en"
            >
              {href("/api/openapi.json")}
            </a>
          </p>
        </div>
        <SendYourKey baseUrl={baseUrl} tried={tried} made={made} />
        <OwnCalls groups={own} made={made} />
        <ErrorList errors={errors} />
        <FoldedPanel title={t("client.title")} intro={t("client.intro")}>
          {client.map(({ name, calls }) => (
            // The groups of features' calls have their texts in the features. A test proves that
            // each has one.
            <section key={name}>
              <h3 className="font-semibold">{t(`group.${name}` as "group.auth")}</h3>
              <CallRows calls={calls} />
            </section>
          ))}
        </FoldedPanel>
        <FoldedPanel title={t("group.types")} intro={t("typesIntro")}>
          <CallRows calls={types} />
        </FoldedPanel>
      </main>
    </div>
  );
}
