import type { ReactNode } from "react";
import { closePopover } from "../../ui/close-popover.ts";
import { Icon } from "../../ui/icon.tsx";
import type { IconName } from "../../ui/icon-names.ts";
import { Menu, menuItemClass } from "../../ui/menu.tsx";

type ActionMenuProps = {
  label: string;
  /** True beside other buttons. */
  isFramed?: boolean;
  children: ReactNode;
};

/** The "⋯" of a row or a part. Its items are buttons that open drawers, or forms, so it works without JavaScript. */
export function ActionMenu({ label, isFramed, children }: ActionMenuProps) {
  return (
    <Menu
      label={label}
      trigger={<Icon name="ellipsis" className="size-4" />}
      triggerClassName={`inline-flex size-control shrink-0 items-center justify-center rounded-md text-muted transition-colors duration-150 hover:bg-fill hover:text-ink ${isFramed ? "border border-line bg-panel shadow-low" : ""}`}
    >
      {children}
    </Menu>
  );
}

type ActionMenuItemProps = {
  icon: IconName;
  /** Id of the drawer that the item opens; without it the item submits the form around it. */
  drawer?: string;
  isDestructive?: boolean;
  children: ReactNode;
};

export function ActionMenuItem({ icon, drawer, isDestructive, children }: ActionMenuItemProps) {
  return (
    <button
      type={drawer ? "button" : "submit"}
      popoverTarget={drawer}
      onClick={drawer ? undefined : closePopover}
      className={`${menuItemClass} ${isDestructive ? "text-danger" : ""}`}
    >
      <Icon name={icon} className="size-4 shrink-0" />
      {children}
    </button>
  );
}
