import type { ReactNode } from "react";
import { Link } from "react-router";
import { Icon } from "../text/icon.tsx";
import { useTranslation } from "../text/translation.tsx";

type ScreenHeaderProps = {
  title: ReactNode;
  /** Before the title, such as a logo. */
  picture?: ReactNode;
  /** Links to the screens above this one, from the top of the area; see `Breadcrumb`. */
  breadcrumb?: ReactNode;
  /** After the last word of the title, such as a status. */
  badges?: ReactNode;
  /**
   * True where a phone has the badges at the end of the breadcrumb's line, so that the title has
   * its line alone. They are placed in the nearest positioned box, which begins where this does.
   */
  areBadgesAbove?: boolean;
  /** Buttons and links at the end of the line. */
  children?: ReactNode;
};

/** The first line of a screen: where it is, its title, and what can be done with the whole. */
export function ScreenHeader(props: ScreenHeaderProps) {
  const { title, picture, breadcrumb, badges, areBadgesAbove, children } = props;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 sm:gap-y-1">
      {breadcrumb && <div className="min-w-0 basis-full">{breadcrumb}</div>}
      {/* A title of one line stands in the middle of the buttons' height, and a picture in the middle of the first line. */}
      <div className="flex min-h-control min-w-0 items-center">
        {/* Beside a picture a phone has less room for the title. */}
        <div className={`flex min-w-0 gap-3 text-xl ${picture ? "max-sm:text-lg" : ""}`}>
          {picture && <div className="flex h-lh shrink-0 items-center">{picture}</div>}
          <div className="min-w-0">
            <h1 className="inline font-semibold">{title}</h1>
            {badges && (
              <span
                className={
                  areBadgesAbove
                    ? "max-sm:absolute max-sm:end-0 max-sm:-top-px max-sm:flex max-sm:items-center max-sm:text-xs"
                    : undefined
                }
              >
                {/* At the end of a line this wide space cannot be seen, as a margin could at the start of the next. */}
                {"\u2002"}
                {/* "align-middle" is the middle of small letters, and most titles begin with a large one. */}
                <span
                  className={`relative -top-0.5 inline-flex max-w-full flex-wrap items-center gap-2 align-middle ${areBadgesAbove ? "max-sm:top-0" : ""}`}
                >
                  {badges}
                </span>
              </span>
            )}
          </div>
        </div>
      </div>
      {children && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </div>
  );
}

/** Links to the screens above this one, the nearest last. The title below names this screen. */
export function Breadcrumb({ children }: { children: ReactNode[] }) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("breadcrumb")} className="text-sm text-muted">
      {/* A finger needs more height than the text. */}
      <ol className="flex flex-wrap items-center gap-1 [&_a]:hover:text-ink pointer-coarse:[&_a]:-my-3 pointer-coarse:[&_a]:py-3">
        {children.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the entries of a screen never change their places
          <li key={index} className="flex min-w-0 items-center gap-1">
            {/* One points back; between two, one points on. */}
            {(index > 0 || children.length === 1) && (
              <Icon
                name="chevron-right"
                className={`size-3.5 shrink-0 ${index > 0 ? "" : "-ms-1 rotate-180"}`}
              />
            )}
            {entry}
          </li>
        ))}
      </ol>
    </nav>
  );
}

type BreadcrumbLinkProps = { to: string; children: ReactNode };

export function BreadcrumbLink({ to, children }: BreadcrumbLinkProps) {
  return (
    <Link to={to} className="min-w-0 truncate">
      <bdi>{children}</bdi>
    </Link>
  );
}

/** Link to the one screen above this one. */
export function BreadcrumbTo(link: BreadcrumbLinkProps) {
  return <Breadcrumb>{[<BreadcrumbLink key="above" {...link} />]}</Breadcrumb>;
}
