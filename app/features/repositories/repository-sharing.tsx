import { href } from "react-router";
import { Panel } from "../../ui/panel.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { OrganizationLinks } from "./organization-links.tsx";

type RepositorySharingProps = {
  organizations: {
    /** The first organizations by name. */
    shown: { id: string; name: string }[];
    hasMore: boolean;
  };
};

/** The organizations that a repository is shared with. */
export function RepositorySharing({ organizations: { shown, hasMore } }: RepositorySharingProps) {
  const { t } = useTranslation("repositories");
  return (
    <Panel title={t("sharedWith")}>
      {shown.length === 0 ? (
        <p className="text-sm text-muted">{t("notShared")}</p>
      ) : (
        <OrganizationLinks
          organizations={shown.map(({ id, name }) => ({
            name,
            to: href("/manager/organizations/:id", { id }),
          }))}
        />
      )}
      {hasMore && <p className="text-sm text-muted">{t("sharedWithMore")}</p>}
    </Panel>
  );
}
