import { Link } from "react-router";
import { Icon } from "../../../ui/text/icon.tsx";
import type { IconName } from "../../../ui/text/icon-names.ts";

type DrawerLinkProps = { to: string; icon: IconName; label: string; className?: string };

/** Opens the drawer of a row. One for all rows, because a drawer in each row would multiply the page. */
export function DrawerLink({ to, icon, label, className = "" }: DrawerLinkProps) {
  return (
    <Link
      to={to}
      preventScrollReset
      aria-label={label}
      aria-haspopup="dialog"
      className={`-me-2.5 icon-button ${className}`}
    >
      <Icon name={icon} className="size-4" />
    </Link>
  );
}
