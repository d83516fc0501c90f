import { href } from "react-router";
import { loadRepositoryList } from "../../features/repositories/repository-list.server.ts";
import { RepositoryList } from "../../features/repositories/repository-list.tsx";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/document.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { answerList, listHeaders } from "../list-answer.server.ts";
import type { Route } from "./+types/repositories.ts";

export const handle = { i18n: "repositories" };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "repository", "read");
  const { db } = context.get(servicesContext);
  return answerList(context, url, { otherwise: {}, load: () => loadRepositoryList(db, url) });
}

export const headers = listHeaders;

export default function AppRepositoriesScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("repositories");
  return (
    <div className="grid gap-6">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <h1 className="text-xl font-semibold">{t("title")}</h1>
      <RepositoryList {...loaderData} detailHref={(id) => href("/app/repositories/:id", { id })} />
    </div>
  );
}
