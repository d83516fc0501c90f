import { href } from "react-router";
import { rolesOf } from "../../features/access/permissions.ts";
import { UserList } from "../../features/users/user-list.tsx";
import { loadUserList } from "../../features/users/user-queries.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { requirePermission } from "../../middleware/require-user.ts";
import { servicesContext } from "../../services.server.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ScreenTitle } from "../../ui/document.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/users.ts";

export const handle = { i18n: "users" };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "user", "list");
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const { rows, ...list } = await loadUserList(db, url, now);
  return { ...list, now, rows: rows.map((row) => ({ ...row, role: rolesOf(row)[0] ?? "user" })) };
}

export default function UsersScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("users");
  return (
    <div className="grid gap-6">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold">{t("title")}</h1>
        <ButtonLink to={href("/manager/users/new")}>
          <Icon name="plus" className="size-4" />
          {t("new")}
        </ButtonLink>
      </div>
      <UserList {...loaderData} />
    </div>
  );
}
