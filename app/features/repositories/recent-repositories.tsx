import { href, Link } from "react-router";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { LoneTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";

type RecentRepositoriesProps = {
  rows: { id: string; name: string; excerpt: string | null; updatedAt: Date }[];
  total: number;
  /** Name of the active organization, whose repositories these are; undefined for all. */
  organization: string | undefined;
  now: Date;
};

/** The repositories that were updated last, with a link to all. */
export function RecentRepositories({ rows, total, organization, now }: RecentRepositoriesProps) {
  const { t } = useTranslation("app");
  const format = useFormat();
  if (rows.length === 0) {
    return <EmptyState title={t("home.recent.none")} text={t("home.recent.noneText")} />;
  }
  return (
    <section aria-labelledby="recent" className="rounded-md border border-line bg-panel shadow-low">
      <div className="flex items-baseline justify-between gap-x-4 px-4 py-2 sm:px-6">
        <div className="min-w-0">
          <h2 id="recent" className="py-2 text-base font-semibold">
            {t("home.recent.title")}
          </h2>
          {organization && (
            <p className="pb-2 text-sm text-muted">
              <WithOwnText
                text={(name) => t("home.recent.shared", { name })}
                value={organization}
              />
            </p>
          )}
        </div>
        <Link
          prefetch="intent"
          to={href("/app/repositories")}
          className="inline-flex min-h-control shrink-0 items-center gap-1 text-sm font-medium text-accent-ink hover:underline underline-offset-4"
        >
          <Formatted>
            {t("home.recent.all", { count: total, total: format.number(total) })}
          </Formatted>
          <Icon name="chevron-right" className="-me-1 size-4 max-sm:hidden" />
        </Link>
      </div>
      <ul>
        {rows.map(({ id, name, excerpt, updatedAt }) => (
          <li
            key={id}
            className="relative flex items-center gap-4 border-t border-line px-4 py-3 last:rounded-b-md hover:bg-sunken sm:px-6"
          >
            <span className="rounded-md bg-fill p-2 text-muted max-sm:hidden">
              <Icon name="folder-git-2" />
            </span>
            {/* On a phone the time shares the line of the name, and the description has the next line to itself. */}
            <div className="grid min-w-0 grow grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
              <Link
                prefetch="intent"
                to={href("/app/repositories/:id", { id })}
                className="flex text-sm font-medium after:absolute after:inset-0"
              >
                <bdi className="truncate">{name}</bdi>
              </Link>
              <LoneTime
                date={updatedAt}
                now={now}
                className="max-sm:text-xs sm:row-span-2 sm:text-sm"
              />
              <p className="flex min-w-0 text-sm text-muted max-sm:col-span-2">
                <bdi className="truncate">{excerpt ?? t("home.recent.noDescription")}</bdi>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
