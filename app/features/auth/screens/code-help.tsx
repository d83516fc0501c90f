import { Icon } from "../../../ui/text/icon.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { webmailOf } from "../codes/webmail.ts";

/** What to do when no mail arrives: where it may be, and a link to the mailbox. */
export function CodeHelp({ email }: { email: string }) {
  const { t } = useTranslation("login");
  const webmail = webmailOf(email);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 text-sm text-muted">
      <p>{t("notArrived")}</p>
      {webmail && (
        <a
          href={webmail.url}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-11 items-center gap-2 font-medium text-accent-ink hover:underline underline-offset-4"
        >
          {t("openWebmail", { name: webmail.name })}
          <Icon name="external-link" className="size-4" />
        </a>
      )}
    </div>
  );
}
