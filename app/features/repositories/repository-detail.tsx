import { Icon } from "../../ui/icon.tsx";
import { DetailTime } from "../../ui/relative-time.tsx";
import { useTranslation } from "../../ui/translation.tsx";

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
    <div className="grid gap-6 rounded-md border border-line bg-panel p-4 shadow-low sm:p-6">
      <dl className="flex flex-wrap gap-x-12 gap-y-6 text-sm">
        <div className="grid basis-full gap-1">
          <dt className="text-muted">{t("link")}</dt>
          <dd>
            <a
              href={link}
              target="_blank"
              rel="noopener noreferrer"
              className="inline-flex min-h-11 items-center gap-2 text-accent-ink underline underline-offset-4"
            >
              <bdi dir="ltr">{link}</bdi>
              <Icon name="external-link" className="size-4 shrink-0 rtl:-scale-x-100" />
            </a>
          </dd>
        </div>
        <div className="grid basis-full gap-1">
          <dt className="text-muted">{t("description")}</dt>
          <dd dir="auto" className="max-w-prose whitespace-pre-line">
            {description ?? <span className="text-muted">{t("noDescription")}</span>}
          </dd>
        </div>
        <div className="grid gap-1">
          <dt className="text-muted">{t("created")}</dt>
          <dd>
            <DetailTime date={createdAt} now={now} />
          </dd>
        </div>
        <div className="grid gap-1">
          <dt className="text-muted">{t("updated")}</dt>
          <dd>
            <DetailTime date={updatedAt} now={now} />
          </dd>
        </div>
      </dl>
    </div>
  );
}
