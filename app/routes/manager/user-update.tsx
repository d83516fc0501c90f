import { data, href } from "react-router";
import { roleList, rolesOf } from "../../features/access/permissions.ts";
import { useRoleNames } from "../../features/users/badges.tsx";
import { UserUpdate } from "../../features/users/input.ts";
import { fixedFields, permissionsToSave } from "../../features/users/save-permissions.ts";
import { UserForm } from "../../features/users/user-form.tsx";
import { findUser } from "../../features/users/user-queries.server.ts";
import { messageOf } from "../../features/users/user-record.server.ts";
import { updateUser } from "../../features/users/user-save.server.ts";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { ListBreadcrumb } from "../../lists/list-breadcrumb.tsx";
import { requireActor, requireAll, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ConflictNotice } from "../../ui/conflict-notice.tsx";
import { ScreenTitle } from "../../ui/document.tsx";
import { ScreenHeader } from "../../ui/screen-header.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { mailServices } from "../mail-services.server.ts";
import type { Route } from "./+types/user-update.ts";

export const handle = { i18n: "users" };

export async function loader({ context, params }: Route.LoaderArgs) {
  const { user: self } = requirePermission(context, "user", "update");
  const { db } = context.get(servicesContext);
  const user = (await findUser(db, params.id)) ?? notFound();
  const { id, name, email, version } = user;
  const fixed = fixedFields(self, id === self.id);
  return { id, name, email, role: roleList(rolesOf(user)), version, fixed };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const actor = requireActor(context, "user", "update");
  const { db } = context.get(servicesContext);
  const before = (await findUser(db, params.id)) ?? notFound();
  const form = await parseForm(request, UserUpdate);
  if (!form.ok) return invalid({ ...form.result, theirs: undefined });
  requireAll(context, permissionsToSave(before, form.value));
  const updated = await updateUser(mailServices(context), actor, before, form.value);
  if (updated.ok) {
    return redirectWithToast(href("/manager/users/:id", { id: before.id }), {
      kind: "success",
      message: "users:toast.updated",
    });
  }
  switch (updated.error) {
    case "conflict": {
      const current = (await findUser(db, before.id)) ?? notFound();
      const { name, email, version } = current;
      const theirs = { name, email, version, role: roleList(rolesOf(current)) };
      return data({ ...form.result, theirs }, { status: 409 });
    }
    case "email_taken":
      return invalid({ ...form.result, theirs: undefined }, { email: ["validation:email.taken"] });
    case "own_email":
      return invalid({ ...form.result, theirs: undefined }, { email: [messageOf(updated.error)] });
    default:
      return invalid({ ...form.result, theirs: undefined }, { role: [messageOf(updated.error)] });
  }
}

export default function UserUpdateScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("users");
  const common = useTranslation().t;
  const { id, name, email, fixed } = loaderData;
  const { theirs, values: typed } = actionData ?? {};
  const namesOf = useRoleNames();
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6">
      <ScreenTitle>{t("update")}</ScreenTitle>
      <ScreenHeader
        title={t("update")}
        breadcrumb={
          <ListBreadcrumb
            to={href("/manager/users")}
            title={t("title")}
            above={{ to: href("/manager/users/:id", { id }), name: name || email }}
          >
            {common("actions.edit")}
          </ListBreadcrumb>
        }
      />
      {theirs && (
        <ConflictNotice
          discardHref={href("/manager/users/:id", { id })}
          fields={[
            { label: t("name"), theirs: theirs.name, yours: typed?.name },
            { label: t("email"), theirs: theirs.email, yours: typed?.email },
            {
              label: t("role"),
              theirs: namesOf(theirs.role),
              yours: namesOf(typed?.role),
            },
          ]}
        />
      )}
      <UserForm
        values={typed ?? loaderData}
        result={actionData}
        submitLabel={theirs ? common("conflict.overwrite") : t("save")}
        userId={id}
        fixed={fixed}
      >
        {/* After a conflict the next save is based on the version just shown, after another error on the version the
            form was loaded with. */}
        <input
          type="hidden"
          name="version"
          value={theirs?.version ?? typed?.version ?? loaderData.version}
        />
        <ButtonLink variant="quiet" to={href("/manager/users/:id", { id })}>
          {common("actions.cancel")}
        </ButtonLink>
      </UserForm>
    </div>
  );
}
