import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { aroundValues } from "../../ui/text/around-values.ts";
import { Formatted } from "../../ui/text/formatted.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { RelativeTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";

export type RecentShown = {
  rows: { id: string; name: string; excerpt: string | null; updatedAt: Date }[];
  total: number;
};

type RecentProps = RecentShown & { now: Date };

type RecentListProps = RecentProps & {
  id: string;
  title: ReactNode;
  /** Path of the whole list. */
  allPath: string;
};

/** The repositories of an organization: with a title, the number of all, and the time of each. */
export function RecentList({ id: titleId, title, allPath, rows, total, now }: RecentListProps) {
  const { t } = useTranslation("app");
  const format = useFormat();
  const [before, after] = aroundValues((when) => t("home.recent.updated", { when }));
  return (
    <section
      aria-labelledby={titleId}
      className="rounded-md border border-line bg-panel shadow-low"
    >
      <div className="flex items-baseline justify-between gap-x-4 px-4 py-2 sm:px-6">
        <h2 id={titleId} className="min-w-0 py-2 text-base font-semibold">
          {title}
        </h2>
        <Link
          prefetch="intent"
          to={allPath}
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
              <span className="text-muted max-sm:text-xs sm:row-span-2 sm:text-sm">
                {before}
                <RelativeTime date={updatedAt} now={now} />
                {after}
              </span>
              {excerpt && (
                <p className="flex min-w-0 text-sm text-muted max-sm:col-span-2">
                  <bdi className="truncate">{excerpt}</bdi>
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
