import type { LinkProps } from "react-router";
import { Icon } from "../../ui/text/icon.tsx";
import type { IconName } from "../../ui/text/icon-names.ts";
import type { Permission } from "./permissions.ts";
import { PermittedLink } from "./use-can.tsx";

export type AttentionItemProps = {
  /** The permission that the screen behind the item asks for. */
  permission: Permission;
  to: LinkProps["to"];
  icon: { name: IconName; tone: string };
  children: string;
};

/** List item of something that needs a manager's attention, with a link to it. */
export function AttentionItem({ permission, to, icon, children }: AttentionItemProps) {
  return (
    <li>
      <PermittedLink
        permission={permission}
        to={to}
        className="flex min-h-control items-center gap-2 rounded-md border border-line-button px-3 transition-colors duration-150 hover:bg-fill"
      >
        <Icon name={icon.name} className={`size-4 shrink-0 ${icon.tone}`} />
        <span suppressHydrationWarning>{children}</span>
      </PermittedLink>
    </li>
  );
}
