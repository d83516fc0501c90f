import { href } from "react-router";
import { ListBreadcrumb } from "../../lists/table/list-breadcrumb.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { ActionMenu } from "../../ui/overlays/action-menu.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { useCan } from "../access/use-can.tsx";

type RepositoryHeaderProps = { id: string; name: string };

/** Name of a repository in the back-office, and the actions on it. */
export function RepositoryHeader({ id, name }: RepositoryHeaderProps) {
  const { t } = useTranslation("repositories");
  const common = useTranslation().t;
  const can = useCan();
  return (
    <ScreenHeader
      title={<bdi>{name}</bdi>}
      breadcrumb={<ListBreadcrumb to={href("/manager/repositories")} title={t("title")} />}
    >
      {can("repository", "update") && (
        <ButtonLink
          variant="secondary"
          isSmall
          to={href("/manager/repositories/:id/update", { id })}
        >
          <Icon name="pencil" className="size-4" />
          {common("actions.edit")}
        </ButtonLink>
      )}
      {can("repository", "delete") && <RepositoryMenu name={name} />}
    </ScreenHeader>
  );
}

function RepositoryMenu({ name }: { name: string }) {
  const { t } = useTranslation("repositories");
  const common = useTranslation().t;
  return (
    <ActionMenu
      label={common("list.actions")}
      isFramed
      questions={[
        {
          intent: "delete",
          icon: "trash-2",
          title: common("actions.delete"),
          text: <WithOwnText text={(value) => t("deleteText", { name: value })} value={name} />,
          isDestructive: true,
          needsProof: true,
        },
      ]}
    />
  );
}
