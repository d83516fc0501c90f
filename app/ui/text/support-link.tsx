import { useDocument } from "../layout/document.tsx";
import { useTranslation } from "./translation.tsx";

/** Link to the support page that managers have set, beside a text that says to contact support or to ask for access. */
export function SupportLink({ className = "" }: { className?: string }) {
  const { t } = useTranslation();
  const { supportUrl } = useDocument().settings.brand;
  if (!supportUrl) return null;
  return (
    <a
      href={supportUrl}
      rel="noreferrer"
      className={`inline-flex min-h-control items-center text-accent-ink underline underline-offset-4 ${className}`}
    >
      {t("support")}
    </a>
  );
}
