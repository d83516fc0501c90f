import { Form, href, Link } from "react-router";
import { useDocument } from "../../ui/layout/document.tsx";
import { closePopover } from "../../ui/overlays/close-popover.ts";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Avatar } from "../../ui/text/avatar.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

type UserMenuProps = {
  user: { name: string; email: string; avatar: string | null };
  accountPath: string;
  /** The other area, for users who may open both. */
  otherArea: { path: string; label: string } | undefined;
};

/** Menu of the signed-in user, with "Sign Out". */
export function UserMenu({ user, accountPath, otherArea }: UserMenuProps) {
  const { t } = useTranslation();
  const { helpUrl } = useDocument().settings.brand;
  return (
    <Menu label={t("account.menu")} trigger={<Avatar {...user} />}>
      <div className="grid max-w-72 gap-1 border-b border-line px-3 py-2 text-sm">
        <span className="truncate font-medium">
          <bdi>{user.name}</bdi>
        </span>
        <span className="truncate text-muted">
          <bdi>{user.email}</bdi>
        </span>
      </div>
      <Link to={accountPath} className="menu-item mt-1" onClick={closePopover}>
        <Icon name="circle-user" className="size-4 text-muted" />
        {t("account.title")}
      </Link>
      {helpUrl && (
        <a href={helpUrl} rel="noreferrer" className="menu-item">
          <Icon name="external-link" className="size-4 text-muted" />
          {t("help")}
        </a>
      )}
      {otherArea && (
        <Link to={otherArea.path} className="menu-item" onClick={closePopover}>
          <Icon name="arrow-left-right" className="size-4 text-muted" />
          {otherArea.label}
        </Link>
      )}
      <Form method="post" action={href("/sign-out")} className="mt-1 border-t border-line pt-1">
        <button type="submit" className="menu-item">
          <Icon name="log-out" className="size-4 text-muted" />
          {t("signOut")}
        </button>
      </Form>
    </Menu>
  );
}
