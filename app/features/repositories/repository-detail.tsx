import type { ReactNode } from "react";
import { CopyIcon } from "../../ui/forms/copy-button.tsx";
import { panelClass } from "../../ui/layout/panel.tsx";
import { Fact } from "../../ui/text/fact.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { DetailTime } from "../../ui/text/relative-time.tsx";
import { withoutScheme } from "../../ui/text/short-link.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { withBreaks } from "../../ui/text/with-breaks.tsx";

type RepositoryDetailProps = {
  repository: {
    name: string;
    link: string;
    description: string | null;
    createdAt: Date;
    updatedAt: Date;
  };
  now: Date;
  children?: ReactNode;
};

/** Shows a repository. Its description is shown as plain text, never as markup. */
export function RepositoryDetail({ repository, now, children }: RepositoryDetailProps) {
  const { t } = useTranslation("repositories");
  const { link, description, createdAt, updatedAt } = repository;
  return (
    <div className="@container">
      <div className={`grid gap-4 @3xl:grid-cols-[minmax(0,1fr)_20rem] @3xl:gap-12 ${panelClass}`}>
        <dl className="grid content-start gap-4 text-sm">
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
            <RepositoryLink link={link} />
          </Fact>
        </dl>
        <dl className="grid content-start gap-4 text-sm">
          <Fact term={t("created")}>
            <DetailTime date={createdAt} now={now} hasLine />
          </Fact>
          {updatedAt.getTime() !== createdAt.getTime() && (
            <Fact term={t("updated")}>
              <DetailTime date={updatedAt} now={now} hasLine />
            </Fact>
          )}
          {children}
        </dl>
      </div>
    </div>
  );
}

function RepositoryLink({ link }: { link: string }) {
  const { t } = useTranslation("repositories");
  return (
    <span className="flex items-center gap-1">
      <a
        href={link}
        target="_blank"
        rel="noopener noreferrer"
        className="-my-2 flex min-h-control min-w-0 items-center gap-2 text-accent-ink underline-offset-4 hover:underline"
      >
        <Icon name="external-link" className="size-4 shrink-0" />
        <bdi dir="ltr" className="wrap-break-word!">
          {withBreaks(withoutScheme(link), "/.")}
        </bdi>
      </a>
      <CopyIcon text={link} label={t("copyLink")} />
    </span>
  );
}
