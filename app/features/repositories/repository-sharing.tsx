import { href, Link } from "react-router";
import { Icon } from "../../ui/icon.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useTranslation } from "../../ui/translation.tsx";

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
        <ul className="-my-1 grid gap-x-6 text-sm sm:grid-cols-2">
          {shown.map(({ id, name }) => (
            <li key={id} className="flex min-h-control min-w-0 items-center gap-2">
              <Icon name="building-2" className="size-4 shrink-0 text-muted" />
              <Link
                to={href("/manager/organizations/:id", { id })}
                className="min-w-0 truncate underline-offset-4 hover:underline"
              >
                <bdi>{name}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {hasMore && <p className="text-sm text-muted">{t("sharedWithMore")}</p>}
    </Panel>
  );
}
