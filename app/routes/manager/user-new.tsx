import { href } from "react-router";
import { UserInput } from "../../features/users/input.ts";
import { createUser } from "../../features/users/user-commands.server.ts";
import { UserForm } from "../../features/users/user-form.tsx";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor } from "../../middleware/require-user.ts";
import { servicesContext } from "../../services.server.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ScreenTitle } from "../../ui/document.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/user-new.ts";

export const handle = { i18n: "users" };

export function loader({ context }: Route.LoaderArgs) {
  requireActor(context, "user", "create");
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireActor(context, "user", "create");
  const form = await parseForm(request, UserInput);
  if (!form.ok) return invalid(form.result);
  const { db } = context.get(servicesContext);
  const created = await createUser(db, actor, form.value);
  if (!created.ok) return invalid(form.result, { email: ["validation:email.taken"] });
  return redirectWithToast(href("/manager/users/:id", { id: created.id }), {
    kind: "success",
    message: "users:toast.created",
  });
}

export default function UserNewScreen({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation("users");
  const common = useTranslation().t;
  return (
    <div className="grid gap-6">
      <ScreenTitle>{t("new")}</ScreenTitle>
      <h1 className="text-xl font-semibold">{t("new")}</h1>
      <UserForm values={actionData?.values ?? {}} result={actionData} submitLabel={t("create")}>
        <ButtonLink variant="quiet" to={href("/manager/users")}>
          {common("actions.cancel")}
        </ButtonLink>
      </UserForm>
    </div>
  );
}
