import { href } from "react-router";
import { loadRepositoryList } from "../../features/repositories/repository-list.server.ts";
import { RepositoryList } from "../../features/repositories/repository-list.tsx";
import { requestContext } from "../../http/request-context.ts";
import { requirePermission } from "../../middleware/require-user.ts";
import { servicesContext } from "../../services.server.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ScreenTitle } from "../../ui/document.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/repositories.ts";

export const handle = { i18n: "repositories" };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "repository", "read");
  const { db } = context.get(servicesContext);
  return { ...(await loadRepositoryList(db, url)), now: context.get(requestContext).now() };
}

export default function RepositoriesScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("repositories");
  return (
    <div className="grid gap-6">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold">{t("title")}</h1>
        <ButtonLink to={href("/manager/repositories/new")}>
          <Icon name="plus" className="size-4" />
          {t("new")}
        </ButtonLink>
      </div>
      <RepositoryList
        {...loaderData}
        detailHref={(id) => href("/manager/repositories/:id", { id })}
        exportPath={href("/manager/repositories/export")}
        emptyAction={
          <ButtonLink to={href("/manager/repositories/new")}>{t("emptyManager")}</ButtonLink>
        }
      />
    </div>
  );
}
