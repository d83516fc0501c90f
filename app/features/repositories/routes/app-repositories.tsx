import { href } from "react-router";
import { FeaturePanels } from "../../../features.ui.tsx";
import { answerList } from "../../../lists/query/list-answer.server.ts";
import { requirePermission } from "../../../middleware/current-user.ts";
import { openPanels } from "../../../middleware/panels.server.ts";
import { getShell } from "../../../middleware/shell.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { mayDo } from "../../access/permissions.ts";
import { RepositoryList } from "../repository-list.tsx";
import { repositoryList } from "../repository-queries.server.ts";
import type { Route } from "./+types/app-repositories.ts";

export const handle = { i18n: "repositories" };

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "repository", "read");
  const { db, features } = context.get(servicesContext);
  const { activeOrganization: active } = await getShell(context);
  const within = active && features.ofOrganization.repository?.(active.id);
  // They read nothing.
  const panelsIn = (place: "repositories:list" | "repositories:noneInList") =>
    openPanels(context, place, "").results([], (needs) => mayDo(user, needs));
  const drawn = {
    organization: within && active,
    panels: panelsIn("repositories:list"),
    panelsOfNone: panelsIn("repositories:noneInList"),
  };
  return answerList(context, url, {
    otherwise: drawn,
    load: async (reader) => ({ ...drawn, ...(await repositoryList.load(db, url, reader, within)) }),
  });
}

export default function AppRepositoriesScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("repositories");
  const { t: app } = useTranslation("app");
  const { organization, panels, panelsOfNone, now } = loaderData;
  return (
    <div className="grid gap-4">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <div className="grid gap-2">
        <ScreenHeader title={t("title")} />
        {organization && (
          <FeaturePanels<"repositories:list">
            subject={{ organization: organization.name }}
            panels={panels}
            now={now}
          />
        )}
      </div>
      <RepositoryList
        {...loaderData}
        detailHref={(id) => href("/app/repositories/:id", { id })}
        emptyText={
          organization ? (
            <FeaturePanels<"repositories:noneInList">
              subject={{
                organization: organization.name,
                slug: organization.slug,
                role: organization.role,
              }}
              panels={panelsOfNone}
              now={now}
            />
          ) : (
            app("home.recent.noneText")
          )
        }
      />
    </div>
  );
}
