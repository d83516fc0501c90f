import { Notice } from "../../../ui/feedback/notice.tsx";
import { IntentButton } from "../../../ui/forms/intent-button.tsx";
import { Badge } from "../../../ui/text/badge.tsx";
import { Formatted } from "../../../ui/text/formatted.tsx";
import { Labelled } from "../../../ui/text/labelled.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { useCan } from "../../access/use-can.tsx";

/** Why a user's mailbox refuses mail, and since when. */
export type MailboxRefusal = {
  reason: "bounced" | "suppressed" | "complained";
  /** The words of the provider or of the mailbox's server. */
  note: string | null;
  since: Date;
};

/** True when no mail is sent to the mailbox. After a complaint mail still is. */
export function refusesMail(refusal: MailboxRefusal | undefined): boolean {
  return refusal !== undefined && refusal.reason !== "complained";
}

/** Says beside a user's e-mail that mail does not arrive there. */
export function RefusalBadge({ refusal }: { refusal: MailboxRefusal }) {
  const { t } = useTranslation("users");
  if (!refusesMail(refusal)) {
    return <Badge tone="border-warning-line bg-warning-fill">{t("mailbox.complained")}</Badge>;
  }
  return <Badge tone="border-danger-line bg-danger-fill">{t("mailbox.refuses")}</Badge>;
}

/** Says since when a user's mailbox refuses mail, and why, and allows mail again. */
export function RefusalNotice({ refusal }: { refusal: MailboxRefusal }) {
  const { reason, note, since } = refusal;
  const { t } = useTranslation("users");
  const format = useFormat();
  const date = format.moment(since);
  const isRefused = refusesMail(refusal);
  const can = useCan();
  return (
    <Notice
      kind="warning"
      action={
        can("mail", "retry") && (
          <IntentButton intent="allow-mail">{t("mailbox.allow")}</IntentButton>
        )
      }
    >
      {isRefused && <p className="font-semibold">{t("mailbox.title")}</p>}
      <p className={isRefused ? "" : "font-semibold"}>
        <Formatted>{t(`mailbox.since.${reason}`, { date })}</Formatted>
      </p>
      <p>{t(isRefused ? "mailbox.noCodes" : "mailbox.stillSent")}</p>
      {note && (
        <p className="wrap-anywhere text-muted">
          <Labelled label={t("mailbox.note")}>
            <bdi>{note}</bdi>
          </Labelled>
        </p>
      )}
    </Notice>
  );
}
