import { href } from "react-router";
import { z } from "zod";
import { parseSearch } from "../../../http/search-params.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { StateDisc } from "../../../ui/text/state-disc.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { GatePage } from "../../auth/screens/gate-page.tsx";
import { EntryPage } from "../../preferences/entry-page.tsx";
import type { Route } from "./+types/error.ts";

const Search = z.object({
  error: z
    .enum([
      "invalid_client",
      "client_disabled",
      "invalid_redirect",
      "too_many_requests",
      "document_unreachable",
      "document_invalid",
      "no_room",
    ])
    .or(z.literal("invalid_request"))
    .catch("invalid_request"),
});

export const handle = { i18n: "connected-apps" };

/** Says why an app cannot be reached. The app itself is told wherever it is known where it is. */
export function loader({ url }: Route.LoaderArgs) {
  return parseSearch(url, Search);
}

export default function AppErrorScreen({ loaderData: { error } }: Route.ComponentProps) {
  const { t } = useTranslation("connected-apps");
  const title = t("error.title");
  return (
    <GatePage>
      <EntryPage>
        <ScreenTitle>{title}</ScreenTitle>
        <div className="grid gap-2">
          <StateDisc name="triangle-alert" tone="danger" />
          <h1 className="mt-2 text-xl font-semibold">{title}</h1>
          <p className="text-muted">{t(`error.${error}`)}</p>
          {error !== "too_many_requests" && <p className="text-muted">{t("error.help")}</p>}
        </div>
        <ButtonLink variant="secondary" to={href("/")}>
          {t("error.home")}
        </ButtonLink>
      </EntryPage>
    </GatePage>
  );
}
