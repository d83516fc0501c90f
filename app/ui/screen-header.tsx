import type { ReactNode } from "react";
import { Link } from "react-router";
import { Icon } from "./icon.tsx";
import { useTranslation } from "./translation.tsx";

type ScreenHeaderProps = {
  title: ReactNode;
  /** Links to the screens above this one, from the top of the area; see `Breadcrumb`. */
  breadcrumb?: ReactNode;
  /** Beside the title, such as a status. */
  badges?: ReactNode;
  /** Buttons and links at the end of the line. */
  children?: ReactNode;
};

/** The first line of a screen: where it is, its title, and what can be done with the whole. */
export function ScreenHeader({ title, breadcrumb, badges, children }: ScreenHeaderProps) {
  return (
    <div
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 sm:gap-y-1 ${badges ? "" : "justify-between"}`}
    >
      {breadcrumb && <div className="min-w-0 basis-full">{breadcrumb}</div>}
      {/* On a phone buttons stand on the line of the title, and badges below. */}
      <h1
        className={`flex min-h-control min-w-0 items-center text-xl font-semibold ${breadcrumb && badges ? "order-1 max-sm:basis-[calc(100%-3.75rem)] sm:order-none" : ""}`}
      >
        <span className="min-w-0">{title}</span>
      </h1>
      {badges && (
        <div
          className={`flex flex-wrap items-center gap-2 ${breadcrumb ? "max-sm:order-2 max-sm:basis-full" : ""}`}
        >
          {badges}
        </div>
      )}
      {children && (
        <div className={`order-1 flex flex-wrap items-center gap-2 ${badges ? "ms-auto" : ""}`}>
          {children}
        </div>
      )}
    </div>
  );
}

/**
 * The way from the area's list to this screen. The last entry is this screen and is no link; a phone leaves it out,
 * because the title below repeats it.
 */
export function Breadcrumb({ label, children }: { label: string; children: ReactNode[] }) {
  return (
    <nav aria-label={label} className="text-sm text-muted">
      <ol className="flex flex-wrap items-center gap-1 max-sm:[&>:last-child:not(:first-child)]:hidden">
        {children.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the entries of a screen never change their places
          <li key={index} className="flex min-w-0 items-center gap-1 [&_a]:hover:text-ink">
            {index > 0 && <Icon name="chevron-right" className="size-3.5 rtl:-scale-x-100" />}
            {entry}
          </li>
        ))}
      </ol>
    </nav>
  );
}

type BreadcrumbFromProps = { above: { to: string; name: string }; title: string };

/** The way from the screen above this one. */
export function BreadcrumbFrom({ above, title }: BreadcrumbFromProps) {
  const { t } = useTranslation();
  return (
    <Breadcrumb label={t("breadcrumb")}>
      {[
        <Link key="above" to={above.to}>
          <bdi>{above.name}</bdi>
        </Link>,
        <span key="here" aria-current="page">
          {title}
        </span>,
      ]}
    </Breadcrumb>
  );
}
