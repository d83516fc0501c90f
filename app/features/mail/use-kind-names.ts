import { useTranslation } from "../../ui/text/translation.tsx";
import { MAIL_KINDS } from "./mail-message.ts";

/** Returns a function that names a mail's kind. A kind that an earlier or later release wrote has no name here. */
export function useKindNames(): (kind: string) => string {
  const { t } = useTranslation("logs");
  return (kind) => (isKind(kind) ? t(`mail.kinds.${kind}`) : kind);
}

function isKind(kind: string): kind is (typeof MAIL_KINDS)[number] {
  return MAIL_KINDS.some((known) => known === kind);
}
