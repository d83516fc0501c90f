import { href } from "react-router";
import { sendForm } from "../../../http/lost-network.ts";
import { notFound } from "../../../http/responses.ts";
import { saveVersioned } from "../../../http/save-record.server.ts";
import { ListBreadcrumb } from "../../../lists/table/list-breadcrumb.tsx";
import { requireActor } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { ConflictNotice } from "../../../ui/forms/conflict-notice.tsx";
import { useVersioned } from "../../../ui/forms/use-versioned.tsx";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../../ui/layout/single-column.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { errorsOf } from "../../owned/owned-errors.ts";
import { RepositoryUpdate } from "../input.ts";
import { findRepository, NAME_TAKEN, repositories } from "../repositories.server.ts";
import { RepositoryForm } from "../repository-form.tsx";
import type { Route } from "./+types/repository-update.ts";

export const handle = { i18n: "repositories" };

export async function loader({ context, params }: Route.LoaderArgs) {
  requireActor(context, "repository", "update", { isProofLater: true });
  const { db } = context.get(servicesContext);
  const repository = (await findRepository(db, params.id)) ?? notFound();
  const { id, name, link, description, version } = repository;
  return { id, name, link, description, version };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const actor = requireActor(context, "repository", "update");
  const { db } = context.get(servicesContext);
  const before = (await findRepository(db, params.id)) ?? notFound();
  const saved = "repositories:toast.updated";
  return saveVersioned(request, RepositoryUpdate, saved, async ({ version: loaded, ...input }) => {
    const updated = await repositories.update({ db, actor }, before, input, loaded);
    if (updated.ok) return { to: href("/manager/repositories/:id", { id: before.id }) };
    if (updated.error !== "conflict") return errorsOf(updated, NAME_TAKEN);
    const theirs = (await findRepository(db, before.id)) ?? notFound();
    const { name, link, description, version } = theirs;
    return { theirs: { name, link, description, version } };
  });
}

export const clientAction = sendForm;

export default function RepositoryUpdateScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("repositories");
  const common = useTranslation().t;
  const { id, name } = loaderData;
  const { theirs, typed, field, overwrite } = useVersioned(loaderData, actionData);
  return (
    <SingleColumn>
      <ScreenTitle>{t("update")}</ScreenTitle>
      <ScreenHeader
        title={t("update")}
        breadcrumb={
          <ListBreadcrumb
            to={href("/manager/repositories")}
            title={t("title")}
            above={{ to: href("/manager/repositories/:id", { id }), name }}
          />
        }
      />
      {theirs && (
        <ConflictNotice
          discardHref={href("/manager/repositories/:id", { id })}
          fields={[
            { label: t("name"), theirs: theirs.name, yours: typed?.name },
            { label: t("link"), theirs: theirs.link, yours: typed?.link },
            {
              label: t("description"),
              theirs: theirs.description ?? "",
              yours: typed?.description,
            },
          ]}
        />
      )}
      <RepositoryForm
        values={typed ?? loaderData}
        result={actionData}
        repositoryId={id}
        submitLabel={overwrite ?? t("save")}
      >
        {field}
        <ButtonLink variant="secondary" to={href("/manager/repositories/:id", { id })}>
          {common("actions.cancel")}
        </ButtonLink>
      </RepositoryForm>
    </SingleColumn>
  );
}
