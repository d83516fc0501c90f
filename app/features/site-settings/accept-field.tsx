import { CheckField } from "../../ui/check-field.tsx";
import { isolate } from "../../ui/isolate.ts";
import type { MessageReference } from "../../ui/message.tsx";
import { useTranslation } from "../../ui/translation.tsx";

type AcceptFieldProps = { version: string; errors: MessageReference[] | undefined };

/** The checkbox with which a user accepts a version of the terms. */
export function AcceptField({ version, errors }: AcceptFieldProps) {
  const { t } = useTranslation();
  return (
    <>
      <input type="hidden" name="termsVersion" value={version} />
      <CheckField
        name="accept"
        label={t("terms.accept", { version: isolate(version) })}
        errors={errors}
        required
      />
    </>
  );
}
