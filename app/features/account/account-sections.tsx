import { type ReactNode, useRef } from "react";
import { lineClass, scrollLineTo } from "../../ui/layout/part-links.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

const SECTIONS = ["profile", "security", "devices", "preferences", "data", "danger"] as const;

/**
 * Links to the sections of the account screen. A wide window has them beside the sections. A narrow
 * one has them above, in one line. They stay in view. Browsers that know `scroll-target-group` mark
 * the section in view.
 */
export function AccountSections({ isClosed }: { isClosed: boolean }) {
  const { t } = useTranslation("account");
  const nav = useRef<HTMLElement>(null);

  return (
    <nav
      ref={nav}
      // No event tells which section is in view. Its link starts an animation that changes nothing,
      // and that is an event.
      onAnimationStart={() => scrollLineTo(nav.current, ":target-current")}
      aria-label={t("sections.label")}
      // During an impersonation the banner has the window's top.
      className={`${lineClass} bg-page max-lg:top-0 max-lg:z-10 lg:m-0 lg:overflow-visible lg:p-0 ${isClosed ? "" : "max-lg:sticky"}`}
    >
      <ul className="flex w-max min-w-full gap-1 border-b border-line text-sm [scroll-target-group:auto] lg:sticky lg:top-16 lg:-ms-3 lg:grid lg:w-auto lg:border-0">
        {SECTIONS.map((section) => (
          <li key={section}>
            <a
              href={`#${section}`}
              className="flex min-h-control items-center px-3 whitespace-nowrap text-muted hover:text-ink max-lg:-mb-px max-lg:border-b-2 max-lg:border-transparent max-lg:[&:target-current]:border-accent lg:rounded-md lg:hover:bg-fill [&:target-current]:animate-[part-in-view_1ms] [&:target-current]:font-medium max-lg:[&:target-current]:text-ink lg:[&:target-current]:text-accent-ink lg:[&:target-current]:bg-accent-fill"
            >
              {t(`sections.${section}`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type AccountSectionProps = { id: (typeof SECTIONS)[number]; children: ReactNode };

/** The panels of one section, which a link in the page leads to. */
export function AccountSection({ id, children }: AccountSectionProps) {
  return (
    <div
      id={id}
      // The line of links never covers a control that gets the focus.
      className="grid min-w-0 scroll-mt-16 gap-6 max-lg:[&_:is(a,button,input,select)]:scroll-mt-16"
    >
      {children}
    </div>
  );
}
