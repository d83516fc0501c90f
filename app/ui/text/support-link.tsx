import { useDocument } from "../layout/document.tsx";
import { emailOfLink } from "./email-of-link.ts";
import { useTranslation } from "./translation.tsx";

/**
 * Link to the support page or the support's e-mail that managers have set, beside a text that says
 * to contact support or to ask for access. An e-mail is shown, for readers whose browser opens no
 * mail program.
 */
export function SupportLink({ className = "" }: { className?: string }) {
  const { t } = useTranslation();
  const { supportUrl } = useDocument().settings.brand;
  if (!supportUrl) return null;
  const email = emailOfLink(supportUrl);
  return (
    <a
      href={supportUrl}
      rel="noreferrer"
      className={`inline-flex min-h-control flex-wrap items-center gap-x-1 text-accent-ink underline underline-offset-4 ${className}`}
    >
      {t("support")}
      {email && <bdi>({email})</bdi>}
    </a>
  );
}
