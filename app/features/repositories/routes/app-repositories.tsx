import { Form, href } from "react-router";
import { answerList } from "../../../lists/query/list-answer.server.ts";
import { requirePermission } from "../../../middleware/current-user.ts";
import { getShell } from "../../../middleware/shell.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { loadRepositoryList } from "../repository-list.server.ts";
import { RepositoryList } from "../repository-list.tsx";
import type { Route } from "./+types/app-repositories.ts";

export const handle = { i18n: "repositories" };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "repository", "read");
  const { db } = context.get(servicesContext);
  const { activeOrganization: active } = await getShell(context);
  const organization = active && { name: active.name };
  return answerList(context, url, {
    otherwise: { organization },
    load: async () => ({ organization, ...(await loadRepositoryList(db, url, active?.id)) }),
  });
}

export default function AppRepositoriesScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("repositories");
  const { t: app } = useTranslation("app");
  return (
    <div className="grid gap-4">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <div className="grid gap-2">
        <ScreenHeader title={t("title")} />
        {loaderData.organization && <SharedInto {...loaderData.organization} />}
      </div>
      <RepositoryList
        {...loaderData}
        detailHref={(id) => href("/app/repositories/:id", { id })}
        emptyText={
          loaderData.organization
            ? t("active.none", { name: isolate(loaderData.organization.name) })
            : app("home.recent.noneText")
        }
      />
    </div>
  );
}

/** Says which organization is active, with a button that shows all repositories. */
function SharedInto({ name }: { name: string }) {
  const { t } = useTranslation("repositories");
  return (
    <Form
      method="post"
      action={href("/app/active-organization")}
      className="-mt-2 flex flex-wrap items-center gap-x-2 text-sm text-muted"
    >
      <input type="hidden" name="intent" value="organization" />
      <input type="hidden" name="organization" value="" />
      <input type="hidden" name="back" value={href("/app/repositories")} />
      {t("active.of", { name: isolate(name) })}
      <button type="submit" className="min-h-11 text-accent-ink underline underline-offset-4">
        {t("active.showAll")}
      </button>
    </Form>
  );
}
