import { FeaturePanels } from "../../../features.ui.tsx";
import { invalid, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { requirePermission } from "../../../middleware/current-user.ts";
import { openPanels } from "../../../middleware/panels.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { can, mayDo } from "../../access/permissions.ts";
import { EventsPanel } from "../../audit/events-panel.tsx";
import { RepositoryDetail } from "../repository-detail.tsx";
import { RepositoryHeader } from "../repository-header.tsx";
import { findRepositoryOverview } from "../repository-page.server.ts";
import type { Route } from "./+types/repository.ts";
import { addedChanges, changeRepository, repositoryForms } from "./repository-actions.server.ts";

export const handle = { i18n: ["repositories", "manager-organizations", "events", "logs"] };

export async function loader({ context, params }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "repository", "read");
  const { db } = context.get(servicesContext);
  const asked = openPanels(context, "repositories:office", params.id);
  const overview = await findRepositoryOverview(db, params.id, {
    mayReadEvents: can(user, "audit", "read"),
    panels: asked.statements,
  });
  const { repository: row, events, panelRows } = overview ?? notFound();
  const { id, name, link, description, createdAt, updatedAt } = row;
  return {
    repository: { id, name, link, description, createdAt, updatedAt },
    events,
    panels: asked.results(panelRows, (needs) => mayDo(user, needs)),
    now: context.get(requestContext).now(),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requirePermission(context, "repository", "read");
  const changes = addedChanges(context);
  const form = await parseForm(request, repositoryForms(changes));
  return form.ok ? changeRepository(context, params.id, form, changes) : invalid(form.result);
}

export const clientAction = sendForm;

export default function RepositoryScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("repositories");
  const { repository, events, panels, now } = loaderData;
  const hasMore = events || Object.keys(panels).length > 0;
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenTitle>{repository.name}</ScreenTitle>
      <FormErrors errors={actionData?.errors[""]} />
      <RepositoryHeader id={repository.id} name={repository.name} />
      <div
        className={`grid grid-cols-1 items-start gap-6 ${hasMore ? "lg:grid-cols-[22rem_minmax(0,1fr)]" : ""}`}
      >
        <RepositoryDetail repository={repository} now={now} />
        <div className="grid min-w-0 gap-6">
          {events && (
            <EventsPanel
              title={t("activity")}
              emptyText={t("noActivity")}
              side="target"
              id={repository.id}
              events={events}
            />
          )}
          <FeaturePanels<"repositories:office">
            subject={{ id: repository.id, name: repository.name, result: actionData }}
            panels={panels}
            now={now}
          />
        </div>
      </div>
    </div>
  );
}
