import type { ReactNode } from "react";
import { CopyIcon } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { DetailTime } from "../../ui/relative-time.tsx";
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
};

/** Shows a repository. Its description is shown as plain text, never as markup. */
export function RepositoryDetail({ repository, now }: RepositoryDetailProps) {
  const { t } = useTranslation("repositories");
  const { link, description, createdAt, updatedAt } = repository;
  return (
    <dl className="grid gap-6 rounded-md border border-line bg-panel p-4 text-sm shadow-low sm:grid-cols-2 sm:p-6">
      <Fact term={t("description")} isWide>
        <p className="max-w-prose whitespace-pre-line text-base">
          {description ? (
            <bdi>{description}</bdi>
          ) : (
            <span className="text-muted">{t("noDescription")}</span>
          )}
        </p>
      </Fact>
      <Fact term={t("link")} isWide>
        <span className="flex items-center gap-4">
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            className="-my-1 inline-flex min-h-11 min-w-0 sm:-my-3 items-center gap-2 text-accent-ink hover:underline underline-offset-4"
          >
            <span>
              <bdi dir="ltr" className="wrap-break-word!">
                {withBreaks(link, "/.")}
              </bdi>
            </span>
            <Icon name="external-link" className="size-4 shrink-0 rtl:-scale-x-100" />
          </a>
          <CopyIcon text={link} label={t("copyLink")} />
        </span>
      </Fact>
      <Fact term={t("created")}>
        <DetailTime date={createdAt} now={now} />
      </Fact>
      {updatedAt > createdAt && (
        <Fact term={t("updated")}>
          <DetailTime date={updatedAt} now={now} />
        </Fact>
      )}
    </dl>
  );
}

type FactProps = { term: string; isWide?: boolean; children: ReactNode };

function Fact({ term, isWide, children }: FactProps) {
  return (
    <div className={`grid content-start gap-1 ${isWide ? "sm:col-span-2" : ""}`}>
      <dt className="text-muted">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
