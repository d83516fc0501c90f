import { invalid, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { can } from "../../access/permissions.ts";
import { EventsPanel } from "../../audit/events-panel.tsx";
import { SharingPanel } from "../../sharing/sharing-panel.tsx";
import { RepositoryDetail } from "../repository-detail.tsx";
import { RepositoryHeader } from "../repository-header.tsx";
import { findRepositoryOverview } from "../repository-page.server.ts";
import type { Route } from "./+types/repository.ts";
import { changeRepository, RepositoryChange } from "./repository-actions.server.ts";

export const handle = { i18n: ["repositories", "manager-organizations", "events", "logs"] };

export async function loader({ context, params }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "repository", "read");
  const { db } = context.get(servicesContext);
  const rights = {
    mayReadEvents: can(user, "audit", "read"),
    mayReadOrganizations: can(user, "organization", "read"),
  };
  const overview = (await findRepositoryOverview(db, params.id, rights)) ?? notFound();
  const { id, name, link, description, createdAt, updatedAt } = overview.repository;
  const repository = { id, name, link, description, createdAt, updatedAt };
  return { ...overview, repository, now: context.get(requestContext).now() };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requirePermission(context, "repository", "read");
  const form = await parseForm(request, RepositoryChange);
  return form.ok ? changeRepository(context, params.id, form) : invalid(form.result);
}

export const clientAction = sendForm;

export default function RepositoryScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("repositories");
  const { repository, events, organizations, now } = loaderData;
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenTitle>{repository.name}</ScreenTitle>
      <FormErrors errors={actionData?.errors[""]} />
      <RepositoryHeader id={repository.id} name={repository.name} />
      <div
        className={`grid grid-cols-1 items-start gap-6 ${events || organizations ? "lg:grid-cols-[22rem_minmax(0,1fr)]" : ""}`}
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
          {organizations && (
            <SharingPanel
              repository={repository}
              organizations={organizations}
              result={actionData}
              now={now}
            />
          )}
        </div>
      </div>
    </div>
  );
}
