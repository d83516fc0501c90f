import { aroundValues } from "../../ui/around-values.ts";
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
        label={<AcceptSentence {...links} />}
        hint={t("terms.version", { version: isolate(termsVersion) })}
        errors={errors}
        required
      />
    </>
  );
}

type AcceptSentenceProps = Pick<AcceptFieldProps, "termsUrl" | "privacyUrl">;

/** The sentence that a user accepts, with the documents as links. */
function AcceptSentence({ termsUrl, privacyUrl }: AcceptSentenceProps) {
  const { t } = useTranslation();
  // The terms come first in each language.
  const [before, between, after] = aroundValues((link) =>
    privacyUrl
      ? t("terms.acceptBoth", { terms: link, privacy: link })
      : t("terms.accept", { terms: link }),
  );
  return (
    <>
      {before}
      <a href={termsUrl} className="underline">
        {t("terms.link")}
      </a>
      {between}
      {privacyUrl && (
        <a href={privacyUrl} className="underline">
          {t("terms.privacy")}
        </a>
      )}
      {after}
    </>
  );
}
