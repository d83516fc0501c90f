import { href } from "react-router";
import { DEFAULT_ROLE } from "../../features/access/permissions.ts";
import { UserInput } from "../../features/users/commands/input.ts";
import { fixedFields, permissionsToSave } from "../../features/users/commands/save-permissions.ts";
import { messageOf } from "../../features/users/commands/user-record.server.ts";
import { createUser } from "../../features/users/commands/user-save.server.ts";
import { UserForm } from "../../features/users/screen/user-form.tsx";
import { sendForm } from "../../http/lost-network.ts";
import { type Saved, saveNew } from "../../http/save-record.server.ts";
import { NewRecord } from "../../lists/table/new-record.tsx";
import { requireActor, requireAll, requirePermission } from "../../middleware/current-user.ts";
import { mailServices } from "../../middleware/mail-services.server.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/user-new.ts";

export const handle = { i18n: "users" };

export function loader({ context }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "user", "create", { isProofLater: true });
  return {
    role: DEFAULT_ROLE,
    fixed: { role: fixedFields(user, { isSelf: false, isListed: false }).role },
  };
}

export function action({ request, context }: Route.ActionArgs) {
  const actor = requireActor(context, "user", "create", { isProofLater: true });
  return saveNew(request, UserInput, async (input): Promise<Saved> => {
    requireAll(context, permissionsToSave(undefined, input));
    const created = await createUser(mailServices(context), actor, input);
    if (created.ok) return { to: href("/manager/users/:id", { id: created.id }) };
    const { error } = created;
    const message = error === "email_taken" ? "validation:email.taken" : messageOf(error);
    return { errors: { email: [message] } };
  });
}

export const clientAction = sendForm;

export default function UserNewScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("users");
  return (
    <NewRecord
      title={t("new")}
      list={{ to: href("/manager/users"), title: t("title") }}
      form={(cancel) => (
        <UserForm
          values={actionData?.values ?? { role: loaderData.role }}
          result={actionData}
          submitLabel={t("create")}
          fixed={loaderData.fixed}
        >
          {cancel}
        </UserForm>
      )}
    />
  );
}
