import { CheckField } from "../../ui/check-field.tsx";
import { isolate } from "../../ui/isolate.ts";
import type { MessageReference } from "../../ui/message.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { TermsLinks } from "./terms-links.tsx";

type AcceptFieldProps = {
  termsUrl: string | undefined;
  privacyUrl: string | undefined;
  /** The version to accept; without one there are only links. */
  termsVersion: string | undefined;
  errors: MessageReference[] | undefined;
};

/** Links to terms and privacy policy, and the checkbox with which a user accepts a version of the terms. */
export function AcceptField({ termsVersion, errors, ...links }: AcceptFieldProps) {
  const { t } = useTranslation();
  if (!termsVersion) return <TermsLinks {...links} />;
  return (
    <>
      <input type="hidden" name="termsVersion" value={termsVersion} />
      <CheckField
        key={termsVersion}
        name="accept"
        label={t("terms.accept", { version: isolate(termsVersion) })}
        hint={<TermsLinks {...links} />}
        errors={errors}
        required
      />
    </>
  );
}
