import { href } from "react-router";
import { invalid, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { ListBreadcrumb } from "../../../lists/table/list-breadcrumb.tsx";
import { requireActor } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../../ui/layout/single-column.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { RepositoryInput } from "../input.ts";
import { createRepository } from "../repositories.server.ts";
import { RepositoryForm } from "../repository-form.tsx";
import type { Route } from "./+types/repository-new.ts";

export const handle = { i18n: "repositories" };

export function loader({ context }: Route.LoaderArgs) {
  requireActor(context, "repository", "create", { act: "form" });
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireActor(context, "repository", "create");
  const form = await parseForm(request, RepositoryInput);
  if (!form.ok) return invalid(form.result);
  const { db } = context.get(servicesContext);
  const created = await createRepository(db, actor, form.value);
  if (!created.ok) return invalid(form.result, { name: ["validation:name.taken"] });
  return redirectWithToast(href("/manager/repositories/:id", { id: created.id }), {
    kind: "success",
    message: "repositories:toast.created",
  });
}

export const clientAction = sendForm;

export default function RepositoryNewScreen({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation("repositories");
  const common = useTranslation().t;
  return (
    <SingleColumn>
      <ScreenTitle>{t("new")}</ScreenTitle>
      <ScreenHeader
        title={t("new")}
        breadcrumb={<ListBreadcrumb to={href("/manager/repositories")} title={t("title")} />}
      />
      <RepositoryForm
        values={actionData?.values ?? {}}
        result={actionData}
        submitLabel={t("create")}
      >
        <ButtonLink variant="secondary" to={href("/manager/repositories")}>
          {common("actions.cancel")}
        </ButtonLink>
      </RepositoryForm>
    </SingleColumn>
  );
}
