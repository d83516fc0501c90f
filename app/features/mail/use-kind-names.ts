import { useTranslation } from "../../ui/text/translation.tsx";
import type { MailState } from "./mail-badge.tsx";
import { isMailKind } from "./mail-message.ts";

/** Returns a function that names a mail's kind. A kind that an earlier or later release wrote has no name here. */
export function useKindNames(): (kind: string) => string {
  const { t } = useTranslation("logs");
  return (kind) => (isMailKind(kind) ? t(`mail.kinds.${kind}`) : kind);
}

type Outcome = {
  kind: string;
  state: MailState;
  lastError: string | null;
  deliveryReason: string | null;
};

/**
 * Returns a function that says why a mail was not sent or did not arrive; null without a reason. After a rollback the
 * outbox may have mails of a newer release, which wait for it.
 */
export function useReasons(): (mail: Outcome) => string | null {
  const { t } = useTranslation("logs");
  return ({ kind, state, lastError, deliveryReason }) => {
    if (state === "sent") return deliveryReason;
    return isMailKind(kind) ? lastError : (lastError ?? t("mail.newerVersion"));
  };
}
