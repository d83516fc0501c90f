import { useTranslation } from "../../ui/text/translation.tsx";

type TermsLinksProps = { termsUrl: string | undefined; privacyUrl: string | undefined };

/** Links to the terms and the privacy policy; nothing when there are none. */
export function TermsLinks({ termsUrl, privacyUrl }: TermsLinksProps) {
  const { t } = useTranslation();
  if (!termsUrl && !privacyUrl) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted [&_a]:underline [&_a]:hover:text-ink">
      {termsUrl && <a href={termsUrl}>{t("terms.link")}</a>}
      {privacyUrl && <a href={privacyUrl}>{t("terms.privacy")}</a>}
    </p>
  );
}
