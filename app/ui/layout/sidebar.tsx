import "./sidebar.css";
import { useId } from "react";
import { NavLink } from "react-router";
import { buttonClass } from "../forms/button.tsx";
import { closePopover } from "../overlays/close-popover.ts";
import { Icon } from "../text/icon.tsx";
import type { IconName } from "../text/icon-names.ts";
import { BrandMark, Logo } from "../text/logo.tsx";

const DRAWER = "navigation-drawer";

type Screen = {
  path: string;
  icon: IconName;
  label: string;
  /** What a dot beside the label says to screen readers; false for no dot. */
  mark?: string | false;
};

type SidebarProps = {
  screens: readonly Screen[];
  label: string;
  collapseLabel: string;
  isCollapsed: boolean;
  onCollapse: (isCollapsed: boolean) => void;
};

/** Navigation at the start edge of a wide page. Collapsed it shows icons only. */
export function Sidebar(props: SidebarProps) {
  const { screens, label, collapseLabel, isCollapsed, onCollapse } = props;
  const id = useId();
  return (
    <aside className="sidebar sticky top-0 hidden h-dvh w-60 shrink-0 flex-col border-e border-line bg-sunken p-3 md:flex">
      <div className="flex min-h-11 items-center px-2">
        <span className="label flex min-w-0">
          <Logo />
        </span>
        <span className="mark hidden">
          <BrandMark className="size-7" />
        </span>
      </div>
      <SidebarNavigation screens={screens} label={label} />
      {/* A checkbox, so that the sidebar collapses without JavaScript. With JavaScript the next page starts in the
          same state. */}
      <input
        id={id}
        type="checkbox"
        aria-label={collapseLabel}
        autoComplete="off"
        defaultChecked={isCollapsed}
        onChange={(event) => onCollapse(event.currentTarget.checked)}
        className="peer sr-only"
      />
      <label
        htmlFor={id}
        title={collapseLabel}
        className="mt-auto inline-flex min-h-11 w-11 cursor-pointer items-center justify-center rounded-md text-muted outline-accent-ink hover:bg-fill hover:text-ink peer-focus-visible:outline-2"
      >
        <Icon name="panel-left" className="size-5" />
      </label>
    </aside>
  );
}

/** Button that opens the drawer on a phone. */
export function SidebarButton({ label }: { label: string }) {
  return (
    <button
      type="button"
      popoverTarget={DRAWER}
      aria-label={label}
      className={buttonClass("quiet", "-ms-4 md:hidden")}
    >
      <Icon name="menu" className="size-5" />
    </button>
  );
}

type SidebarDrawerProps = {
  screens: readonly Screen[];
  label: string;
  closeLabel: string;
};

/** The same navigation on a phone, as a popover. */
export function SidebarDrawer({ screens, label, closeLabel }: SidebarDrawerProps) {
  return (
    <aside
      id={DRAWER}
      popover="auto"
      className="drawer h-dvh w-72 max-w-[85vw] border-e border-line bg-panel p-3 text-ink shadow-high md:hidden"
    >
      <div className="flex items-center justify-between gap-2 px-2">
        <Logo />
        <button
          type="button"
          popoverTarget={DRAWER}
          popoverTargetAction="hide"
          aria-label={closeLabel}
          className={buttonClass("quiet", "-me-4")}
        >
          <Icon name="x" className="size-5" />
        </button>
      </div>
      <SidebarNavigation screens={screens} label={label} />
    </aside>
  );
}

function SidebarNavigation({ screens, label }: { screens: readonly Screen[]; label: string }) {
  return (
    <nav aria-label={label} className="mt-4 grid gap-1">
      {screens.map((screen) => (
        <NavLink
          prefetch="intent"
          key={screen.path}
          to={screen.path}
          viewTransition
          className="sidebar-link"
          onClick={closePopover}
          title={screen.label}
        >
          <Icon name={screen.icon} className="size-5 shrink-0" />
          <span className="label">{screen.label}</span>
          {screen.mark && (
            <>
              <span aria-hidden="true" className="dot size-2 rounded-full bg-accent" />
              <span className="sr-only">{screen.mark}</span>
            </>
          )}
        </NavLink>
      ))}
    </nav>
  );
}
