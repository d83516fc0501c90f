import { href } from "react-router";
import { ListBreadcrumb } from "../../lists/list-breadcrumb.tsx";
import { ButtonLink, buttonClass } from "../../ui/button.tsx";
import { ConfirmDrawer } from "../../ui/confirm-drawer.tsx";
import { Icon } from "../../ui/icon.tsx";
import { isolate } from "../../ui/isolate.ts";
import { Menu, menuItemClass } from "../../ui/menu.tsx";
import { HEAD_BUTTON, ScreenHeader } from "../../ui/screen-header.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useCssId } from "../../ui/use-css-id.ts";

type RepositoryHeaderProps = { id: string; name: string };

/** Name of a repository in the back-office, and the actions on it. */
export function RepositoryHeader({ id, name }: RepositoryHeaderProps) {
  const { t } = useTranslation("repositories");
  const common = useTranslation().t;
  return (
    <ScreenHeader
      title={<bdi>{name}</bdi>}
      breadcrumb={
        <ListBreadcrumb to={href("/manager/repositories")} title={t("title")}>
          {name}
        </ListBreadcrumb>
      }
    >
      <ButtonLink
        variant="quiet"
        className={HEAD_BUTTON}
        to={`${href("/manager/audit")}?target=${id}`}
      >
        <Icon name="scroll-text" className="size-4" />
        {t("history")}
      </ButtonLink>
      <ButtonLink
        variant="secondary"
        className={HEAD_BUTTON}
        to={href("/manager/repositories/:id/update", { id })}
      >
        <Icon name="pencil" className="size-4" />
        {common("actions.edit")}
      </ButtonLink>
      <RepositoryMenu name={name} />
    </ScreenHeader>
  );
}

/** A menu with the deletion of this repository. */
function RepositoryMenu({ name }: { name: string }) {
  const { t } = useTranslation("repositories");
  const common = useTranslation().t;
  const drawer = useCssId();
  return (
    <>
      <Menu
        label={common("list.actions")}
        trigger={<Icon name="ellipsis" className="size-5" />}
        triggerClassName={buttonClass("secondary", `${HEAD_BUTTON} px-2!`)}
      >
        <button type="button" popoverTarget={drawer} className={`${menuItemClass} text-danger`}>
          <Icon name="trash-2" className="size-4" />
          {common("actions.delete")}
        </button>
      </Menu>
      <ConfirmDrawer
        openedById={drawer}
        intent="delete"
        text={t("deleteText", { name: isolate(name) })}
        isDestructive
        icon="trash-2"
        trigger={common("actions.delete")}
      />
    </>
  );
}
