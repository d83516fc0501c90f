import { aroundValue } from "../../ui/around-value.ts";
import { CheckField } from "../../ui/check-field.tsx";
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
  const [before, after] = aroundValue((version) => t("terms.accept", { version }));
  return (
    <>
      <input type="hidden" name="termsVersion" value={termsVersion} />
      <CheckField
        key={termsVersion}
        name="accept"
        label={
          <>
            {before}
            {/* A version such as 2026-11 must not break at its hyphen. */}
            <bdi className="inline-block max-w-full">{termsVersion}</bdi>
            {after}
          </>
        }
        hint={<TermsLinks {...links} />}
        errors={errors}
        required
      />
    </>
  );
}
