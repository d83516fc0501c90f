import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { CopyIcon } from "../../ui/copy-button.tsx";
import { Fact } from "../../ui/fact.tsx";
import { Icon } from "../../ui/icon.tsx";
import { panelClass } from "../../ui/panel.tsx";
import { DetailTime } from "../../ui/relative-time.tsx";
import { withoutScheme } from "../../ui/short-link.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { withBreaks } from "../../ui/with-breaks.tsx";

type RepositoryDetailProps = {
  repository: {
    name: string;
    link: string;
    description: string | null;
    createdAt: Date;
    updatedAt: Date;
  };
  now: Date;
  /** Further facts. */
  children?: ReactNode;
};

/** Shows a repository. Its description is shown as plain text, never as markup. */
export function RepositoryDetail({ repository, now, children }: RepositoryDetailProps) {
  const { t } = useTranslation("repositories");
  const { link, description, createdAt, updatedAt } = repository;
  return (
    <div className={`@container ${panelClass}`}>
      <dl className="grid gap-6 text-sm @2xl:grid-cols-2">
        <Fact term={t("description")}>
          <p className="max-w-prose whitespace-pre-line">
            {description ? (
              <bdi>{description}</bdi>
            ) : (
              <span className="text-muted">{t("noDescription")}</span>
            )}
          </p>
        </Fact>
        <Fact term={t("link")}>
          <span>
            <a
              href={link}
              target="_blank"
              rel="noopener noreferrer"
              className="py-3 text-accent-ink hover:underline underline-offset-4"
            >
              <bdi dir="ltr" className="wrap-break-word!">
                {withBreaks(withoutScheme(link), "/.")}
              </bdi>
              <Icon
                name="external-link"
                className="ms-2 inline size-4 align-[-0.2em] rtl:-scale-x-100"
              />
            </a>{" "}
            <span className="inline-flex align-middle">
              <CopyIcon text={link} label={t("copyLink")} />
            </span>
          </span>
        </Fact>
        <Fact term={t("created")}>
          <DetailTime date={createdAt} now={now} />
        </Fact>
        <Fact term={t("updated")}>
          <DetailTime date={updatedAt} now={now} />
        </Fact>
        {children}
      </dl>
    </div>
  );
}

type SharedWithFactProps = { organizations: { slug: string; name: string }[] };

/** The reader's organizations that a repository is shared with; nothing without any. */
export function SharedWithFact({ organizations }: SharedWithFactProps) {
  const { t } = useTranslation("repositories");
  if (organizations.length === 0) return null;
  return (
    <Fact term={t("sharedWithYours")}>
      <ul className="flex flex-wrap gap-x-6">
        {organizations.map(({ slug, name }) => (
          <li key={slug} className="flex min-h-control min-w-0 items-center gap-2">
            <Icon name="building-2" className="size-4 shrink-0 text-muted" />
            <Link
              to={href("/app/organizations/:slug", { slug })}
              className="min-w-0 truncate text-accent-ink underline-offset-4 hover:underline"
            >
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Fact>
  );
}
