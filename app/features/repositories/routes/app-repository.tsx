import { href } from "react-router";
import { FeaturePanels } from "../../../features.ui.tsx";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { ListBreadcrumb } from "../../../lists/table/list-breadcrumb.tsx";
import { requirePermission } from "../../../middleware/current-user.ts";
import { openPanels } from "../../../middleware/panels.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { buttonClass } from "../../../ui/forms/button.tsx";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { Icon } from "../../../ui/text/icon.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { mayDo } from "../../access/permissions.ts";
import { RepositoryDetail } from "../repository-detail.tsx";
import { findRepositoryWith } from "../repository-page.server.ts";
import type { Route } from "./+types/app-repository.ts";

/** Below 768 px the detail fills the screen, and the layout hides its navigation. */
export const handle = { i18n: "repositories", isFullScreenOnPhone: true };

export async function loader({ context, params }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "repository", "read");
  const { db } = context.get(servicesContext);
  const asked = openPanels(context, "repositories:app", params.id);
  const { repository, panelRows } =
    (await findRepositoryWith(db, params.id, asked.statements)) ?? notFound();
  const { name, link, description, createdAt, updatedAt } = repository;
  const { now } = context.get(requestContext);
  return {
    repository: { name, link, description, createdAt, updatedAt },
    panels: asked.results(panelRows, (needs) => mayDo(user, needs)),
    now: now(),
  };
}

export default function AppRepositoryScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("repositories");
  const common = useTranslation().t;
  const { repository, panels, now } = loaderData;
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenTitle>{repository.name}</ScreenTitle>
      <ScreenHeader
        title={<bdi>{repository.name}</bdi>}
        breadcrumb={
          <ListBreadcrumb
            to={href("/app/repositories")}
            title={
              <>
                <span className="md:hidden">{common("actions.back")}</span>
                <span className="max-md:hidden">{t("title")}</span>
              </>
            }
          />
        }
      >
        <a
          href={repository.link}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass("primary", "", true)}
        >
          {t("open")}
          <Icon name="external-link" className="size-4" />
        </a>
      </ScreenHeader>
      <RepositoryDetail repository={repository} now={now}>
        <FeaturePanels<"repositories:app"> subject={{}} panels={panels} now={now} />
      </RepositoryDetail>
    </div>
  );
}
