import { data, href } from "react-router";
import { useCan } from "../../features/access/use-can.tsx";
import { USER_ACTS } from "../../features/users/acts.ts";
import { UsersChange } from "../../features/users/commands/input.ts";
import { changeUsers, listBulkIntents } from "../../features/users/commands/user-changes.server.ts";
import { readUserFilters } from "../../features/users/list/user-filters.server.ts";
import { UserList } from "../../features/users/list/user-list.tsx";
import { users } from "../../features/users/list/user-queries.server.ts";
import { invalidChoice, parseForm } from "../../http/forms.server.ts";
import { attemptBulk } from "../../lists/bulk/bulk-run.ts";
import { answerList } from "../../lists/query/list-answer.server.ts";
import { requireAct, requirePermission } from "../../middleware/current-user.ts";
import { mailServices } from "../../middleware/mail-services.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { NewLink } from "../../ui/layout/new-link.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/users.ts";

export const handle = { i18n: "users" };

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "user", "list");
  const { db } = context.get(servicesContext);
  const { data: list, init } = await answerList(context, url, {
    otherwise: { filters: readUserFilters(url).filters },
    load: (reader) => users.load(db, url, reader),
  });
  return data({ ...list, intents: listBulkIntents(user), ownId: user.id }, init ?? undefined);
}

export async function action({ request, context }: Route.ActionArgs) {
  requirePermission(context, "user", "list");
  const form = await parseForm(request, UsersChange);
  if (!form.ok) return invalidChoice(form.result);
  const { intent, id: ids } = form.value;
  const actor = requireAct(context, USER_ACTS[intent], { choice: { ids, asked: intent } });
  return { report: await changeUsers(mailServices(context), actor, form.value) };
}

export const clientAction = attemptBulk;

export default function UsersScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("users");
  const can = useCan();
  return (
    <div className="grid gap-4">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <ScreenHeader title={t("title")}>
        {can("user", "create") && <NewLink to={href("/manager/users/new")}>{t("new")}</NewLink>}
      </ScreenHeader>
      <UserList {...loaderData} answer={actionData} />
    </div>
  );
}
