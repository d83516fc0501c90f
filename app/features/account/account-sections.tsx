import type { ReactNode } from "react";
import { useTranslation } from "../../ui/translation.tsx";

const SECTIONS = ["profile", "security", "devices", "preferences", "data", "danger"] as const;

/**
 * Links to the sections of the account screen. Only where there is room beside them. Browsers that know
 * `scroll-target-group` mark the section in view.
 */
export function AccountSections() {
  const { t } = useTranslation("account");
  return (
    <nav aria-label={t("sections.label")} className="max-lg:hidden">
      <ul className="sticky top-16 -ms-3 grid gap-1 text-sm [scroll-target-group:auto]">
        {SECTIONS.map((section) => (
          <li key={section}>
            <a
              href={`#${section}`}
              className="flex min-h-control items-center rounded-md px-3 text-muted hover:bg-fill hover:text-ink [&:target-current]:bg-accent-fill [&:target-current]:font-medium [&:target-current]:text-accent-ink"
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
    <div id={id} className="grid min-w-0 scroll-mt-16 gap-6">
      {children}
    </div>
  );
}
