import { href } from "react-router";
import { sendForm } from "../../../http/lost-network.ts";
import { saveNew } from "../../../http/save-record.server.ts";
import { NewRecord } from "../../../lists/table/new-record.tsx";
import { requireActor } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { errorsOf } from "../../owned/owned-errors.ts";
import { RepositoryInput } from "../input.ts";
import { NAME_TAKEN, repositories } from "../repositories.server.ts";
import { RepositoryForm } from "../repository-form.tsx";
import type { Route } from "./+types/repository-new.ts";

export const handle = { i18n: "repositories" };

export function loader({ context }: Route.LoaderArgs) {
  requireActor(context, "repository", "create", { isProofLater: true });
  return null;
}

export function action({ request, context }: Route.ActionArgs) {
  const actor = requireActor(context, "repository", "create");
  const { db } = context.get(servicesContext);
  return saveNew(request, RepositoryInput, async (input) => {
    const created = await repositories.create({ db, actor }, input);
    if (!created.ok) return errorsOf(created, NAME_TAKEN);
    return { to: href("/manager/repositories/:id", { id: created.id }) };
  });
}

export const clientAction = sendForm;

export default function RepositoryNewScreen({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation("repositories");
  return (
    <NewRecord
      title={t("new")}
      list={{ to: href("/manager/repositories"), title: t("title") }}
      form={(cancel) => (
        <RepositoryForm
          values={actionData?.values ?? {}}
          result={actionData}
          submitLabel={t("create")}
        >
          {cancel}
        </RepositoryForm>
      )}
    />
  );
}
