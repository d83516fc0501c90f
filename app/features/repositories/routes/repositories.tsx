import { href } from "react-router";
import { invalidChoice, parseForm } from "../../../http/forms.server.ts";
import { attemptBulk } from "../../../lists/bulk/bulk-run.ts";
import { answerList } from "../../../lists/query/list-answer.server.ts";
import { requireAct, requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { NewLink } from "../../../ui/layout/new-link.tsx";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useCan } from "../../access/use-can.tsx";
import { REPOSITORY_ACTS } from "../acts.ts";
import { RepositoriesChange } from "../input.ts";
import { changeRepositories } from "../repositories.server.ts";
import { RepositoryList } from "../repository-list.tsx";
import { repositoryList } from "../repository-queries.server.ts";
import { useRepositoryMenu } from "../use-repository-menu.ts";
import type { Route } from "./+types/repositories.ts";

export const handle = { i18n: "repositories" };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "repository", "read");
  const { db } = context.get(servicesContext);
  return answerList(context, url, {
    otherwise: {},
    load: (reader) => repositoryList.load(db, url, reader),
  });
}

export async function action({ request, context }: Route.ActionArgs) {
  requirePermission(context, "repository", "read");
  const form = await parseForm(request, RepositoriesChange);
  if (!form.ok) return invalidChoice(form.result);
  const { intent, id: ids } = form.value;
  const actor = requireAct(context, REPOSITORY_ACTS[intent], { choice: { ids, asked: intent } });
  const { db } = context.get(servicesContext);
  return { report: await changeRepositories({ db, actor }, ids, intent) };
}

export const clientAction = attemptBulk;

export default function RepositoriesScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("repositories");
  const can = useCan();
  return (
    <div className="grid gap-4">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <ScreenHeader title={t("title")}>
        {can("repository", "create") && (
          <NewLink to={href("/manager/repositories/new")}>{t("new")}</NewLink>
        )}
      </ScreenHeader>
      <RepositoryList
        {...loaderData}
        answer={actionData}
        canDelete={can("repository", "delete")}
        rowMenu={useRepositoryMenu()}
        detailHref={(id) => href("/manager/repositories/:id", { id })}
        exportPath={can("repository", "export") ? href("/manager/repositories/export") : undefined}
        emptyAction={
          can("repository", "create") && (
            <ButtonLink to={href("/manager/repositories/new")} isSmall>
              {t("emptyManager")}
            </ButtonLink>
          )
        }
      />
    </div>
  );
}
