import { CheckField } from "../../ui/forms/check-field.tsx";
import { aroundValues } from "../../ui/text/around-values.ts";
import type { MessageReference } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { TermsLinks } from "./terms-links.tsx";

type AcceptFieldProps = {
  termsUrl: string | undefined;
  privacyUrl: string | undefined;
  /** The version to accept; without one there are only links. */
  termsVersion: string | undefined;
  errors: MessageReference[] | undefined;
};

/** Links to terms and privacy policy, and the checkbox with which a user accepts a version of the terms. */
export function AcceptField({ termsVersion, termsUrl, privacyUrl, errors }: AcceptFieldProps) {
  const { t } = useTranslation();
  if (!termsVersion) return <TermsLinks termsUrl={termsUrl} privacyUrl={privacyUrl} />;
  const [before, after] = aroundValues((terms) => t("terms.accept", { terms }));
  return (
    <>
      <input type="hidden" name="termsVersion" value={termsVersion} />
      <CheckField
        key={termsVersion}
        name="accept"
        label={
          <>
            {before}
            <a href={termsUrl} className="underline">
              {t("terms.accepted")}
            </a>
            {after}
          </>
        }
        hint={
          <span className="flex flex-wrap gap-x-4 gap-y-1">
            <span>
              <WithOwnText
                text={(version) => t("terms.version", { version })}
                value={termsVersion}
              />
            </span>
            {privacyUrl && (
              <a href={privacyUrl} className="underline hover:text-ink">
                {t("terms.privacy")}
              </a>
            )}
          </span>
        }
        errors={errors}
        required
      />
    </>
  );
}
