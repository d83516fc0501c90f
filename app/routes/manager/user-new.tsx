import { href } from "react-router";
import { DEFAULT_ROLE } from "../../features/access/permissions.ts";
import { UserInput } from "../../features/users/commands/input.ts";
import { fixedFields, permissionsToSave } from "../../features/users/commands/save-permissions.ts";
import { messageOf } from "../../features/users/commands/user-record.server.ts";
import { createUser } from "../../features/users/commands/user-save.server.ts";
import { UserForm } from "../../features/users/screen/user-form.tsx";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { ListBreadcrumb } from "../../lists/table/list-breadcrumb.tsx";
import {
  isProofMissing,
  requireActor,
  requireAll,
  requirePermission,
} from "../../middleware/current-user.ts";
import { mailServices } from "../../middleware/mail-services.server.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { PROOF_REQUIRED } from "../../ui/forms/proof.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../ui/layout/single-column.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/user-new.ts";

export const handle = { i18n: "users" };

export function loader({ context }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "user", "create", { act: "form" });
  return {
    role: DEFAULT_ROLE,
    fixed: { role: fixedFields(user, { isSelf: false, isListed: false }).role },
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireActor(context, "user", "create", { act: "form" });
  const form = await parseForm(request, UserInput);
  if (!form.ok) return invalid(form.result);
  const permissions = permissionsToSave(undefined, form.value);
  if (isProofMissing(context, ...permissions.map((one) => one.join("."))))
    return invalid(form.result, { role: [PROOF_REQUIRED] });
  requireAll(context, permissions);
  const created = await createUser(mailServices(context), actor, form.value);
  if (!created.ok) {
    const { error } = created;
    return invalid(form.result, {
      email: [error === "email_taken" ? "validation:email.taken" : messageOf(error)],
    });
  }
  return redirectWithToast(href("/manager/users/:id", { id: created.id }), {
    kind: "success",
    message: "users:toast.created",
  });
}

export const clientAction = sendForm;

export default function UserNewScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("users");
  const common = useTranslation().t;
  return (
    <SingleColumn>
      <ScreenTitle>{t("new")}</ScreenTitle>
      <ScreenHeader
        title={t("new")}
        breadcrumb={<ListBreadcrumb to={href("/manager/users")} title={t("title")} />}
      />
      <UserForm
        values={actionData?.values ?? { role: loaderData.role }}
        result={actionData}
        submitLabel={t("create")}
        fixed={loaderData.fixed}
      >
        <ButtonLink variant="secondary" to={href("/manager/users")}>
          {common("actions.cancel")}
        </ButtonLink>
      </UserForm>
    </SingleColumn>
  );
}
