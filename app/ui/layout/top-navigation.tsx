import { NavLink } from "react-router";
import { Icon } from "../text/icon.tsx";
import type { IconName } from "../text/icon-names.ts";

type TopNavigationProps = {
  /** Screens of an area; the first is its start, whose path begins the others'. */
  screens: readonly {
    path: string;
    icon: IconName;
    label: string;
    /** What a dot beside the label says to screen readers; false for no dot. */
    mark?: string | false;
  }[];
  label: string;
  className: string;
};

/** Links to the screens of an area, beside each other. On a phone an icon is above each text. */
export function TopNavigation({ screens, label: name, className }: TopNavigationProps) {
  return (
    <nav aria-label={name} className={className}>
      {screens.map(({ path, icon, label, mark }, index) => (
        <NavLink
          prefetch="intent"
          key={path}
          to={path}
          end={index === 0}
          viewTransition
          className={navItemClass}
        >
          <span className="relative md:hidden">
            <Icon name={icon} className="size-5" />
            {mark && <Dot className="absolute -end-1 -top-0.5" />}
          </span>
          {label}
          {mark && (
            <>
              <Dot className="max-md:hidden" />
              <span className="sr-only">{mark}</span>
            </>
          )}
        </NavLink>
      ))}
    </nav>
  );
}

/** The mark of a screen: on the corner of its icon, or beside its label where there is no icon. */
function Dot({ className }: { className: string }) {
  return <span aria-hidden="true" className={`size-2 rounded-full bg-accent ${className}`} />;
}

function navItemClass({ isActive }: { isActive: boolean }): string {
  return `flex min-h-11 min-w-16 flex-col items-center justify-center gap-1 rounded-md px-1 py-2 text-xs font-medium transition-colors duration-150 md:flex-row md:gap-2 md:px-3 md:text-sm ${isActive ? "text-accent-ink md:bg-accent-fill" : "text-muted hover:text-ink md:hover:bg-fill"}`;
}
