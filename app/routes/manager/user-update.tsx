import { href } from "react-router";
import { roleList, rolesOf } from "../../features/access/permissions.ts";
import { UserUpdate } from "../../features/users/commands/input.ts";
import { fixedFields, permissionsToSave } from "../../features/users/commands/save-permissions.ts";
import { messageOf } from "../../features/users/commands/user-record.server.ts";
import { updateUser } from "../../features/users/commands/user-save.server.ts";
import { findUser } from "../../features/users/list/user-queries.server.ts";
import { UserConflict } from "../../features/users/screen/user-conflict.tsx";
import { UserForm } from "../../features/users/screen/user-form.tsx";
import { conflict, invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { ListBreadcrumb } from "../../lists/table/list-breadcrumb.tsx";
import { requireActor, requireAll, requirePermission } from "../../middleware/current-user.ts";
import { mailServices } from "../../middleware/mail-services.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { useVersioned } from "../../ui/forms/use-versioned.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../ui/layout/single-column.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/user-update.ts";

export const handle = { i18n: "users" };

export async function loader({ context, params }: Route.LoaderArgs) {
  const { user: self } = requirePermission(context, "user", "update");
  const { db, config } = context.get(servicesContext);
  const user = (await findUser(db, params.id)) ?? notFound();
  const { id, name, email, version } = user;
  // Who is listed and has not signed in since is no admin yet, and may become one here too.
  const isListed = config.adminEmails.includes(email) && rolesOf(user).includes("admin");
  const fixed = fixedFields(self, { isSelf: id === self.id, isListed });
  return { id, name, email, role: roleList(rolesOf(user)), version, fixed };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const actor = requireActor(context, "user", "update");
  const { db } = context.get(servicesContext);
  const before = (await findUser(db, params.id)) ?? notFound();
  const form = await parseForm(request, UserUpdate);
  const refuse = (errors?: Record<string, string[]>) => invalid(form.result, errors);
  if (!form.ok) return refuse();
  const permissions = permissionsToSave(before, form.value);
  requireAll(context, permissions);
  const updated = await updateUser(mailServices(context), actor, before, form.value);
  if (updated.ok) {
    return redirectWithToast(href("/manager/users/:id", { id: before.id }), {
      kind: "success",
      message: "users:toast.updated",
      ...(roleList(rolesOf(before)) !== form.value.role && { undo: undoOf(before) }),
    });
  }
  switch (updated.error) {
    case "conflict": {
      const current = (await findUser(db, before.id)) ?? notFound();
      const { name, email, version } = current;
      return conflict(form.result, { name, email, version, role: roleList(rolesOf(current)) });
    }
    case "email_taken":
      return refuse({ email: ["validation:email.taken"] });
    case "own_email":
    case "email_domain":
    case "listed_email":
      return refuse({ email: [messageOf(updated.error)] });
    default:
      return refuse({ role: [messageOf(updated.error)] });
  }
}

/** Returns the form that gives a user the former roles. */
function undoOf(before: NonNullable<Awaited<ReturnType<typeof findUser>>>) {
  const { id, name, email, version } = before;
  return {
    action: href("/manager/users/:id/update", { id }),
    intent: "update",
    fields: [
      ["name", name],
      ["email", email],
      ["version", String(version + 1)],
      ...rolesOf(before).map((role): [string, string] => ["role", role]),
    ] satisfies [string, string][],
  };
}

export const clientAction = sendForm;

export default function UserUpdateScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("users");
  const common = useTranslation().t;
  const { id, name, email, fixed } = loaderData;
  const { theirs, typed, field, overwrite } = useVersioned(loaderData, actionData);
  return (
    <SingleColumn>
      <ScreenTitle>{t("update")}</ScreenTitle>
      <ScreenHeader
        title={t("update")}
        breadcrumb={
          <ListBreadcrumb
            to={href("/manager/users")}
            title={t("title")}
            above={{ to: href("/manager/users/:id", { id }), name: name || email }}
          />
        }
      />
      {theirs && <UserConflict id={id} theirs={theirs} typed={typed} />}
      <UserForm
        values={typed ?? loaderData}
        result={actionData}
        submitLabel={overwrite ?? t("save")}
        userId={id}
        fixed={fixed}
      >
        {field}
        <ButtonLink variant="secondary" to={href("/manager/users/:id", { id })}>
          {common("actions.cancel")}
        </ButtonLink>
      </UserForm>
    </SingleColumn>
  );
}
