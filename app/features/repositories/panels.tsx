import { href } from "react-router";
import type { FeaturePanels, PanelProps } from "../../feature.ui.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { roleMayDo } from "../access/organization-permissions.ts";
import { can } from "../access/permissions.ts";
import type { repositoriesServer } from "./feature.server.ts";
import type { repositories } from "./feature.ts";
import { RecentRepositories, type RecentShown } from "./recent-repositories.tsx";

/** The repositories that were updated last. Without any, there is nothing below those of an organization. */
function HomeRecent({ subject, shown, now }: PanelProps<"home", RecentShown>) {
  const { t } = useTranslation("app");
  const { user, organization } = subject;
  // A feature shows those of the organization above.
  const isBelow =
    organization !== undefined && roleMayDo(organization.role, ["repository", "read"]);
  if (shown.total === 0 && isBelow) return null;
  return (
    <RecentRepositories {...shown} now={now} isBelow={isBelow}>
      {can(user, "repository", "create") ? (
        <ButtonLink variant="secondary" isSmall to={href("/manager/repositories/new")}>
          {t("home.recent.add")}
        </ButtonLink>
      ) : (
        <ButtonLink variant="secondary" isSmall to={href("/app/organizations/new")}>
          {t("organizations.new")}
        </ButtonLink>
      )}
    </RecentRepositories>
  );
}

export const repositoryPanels = {
  "recent-repositories": HomeRecent,
} satisfies FeaturePanels<typeof repositories, typeof repositoriesServer>;
