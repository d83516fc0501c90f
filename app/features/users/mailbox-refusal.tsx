import { Badge } from "../../ui/badge.tsx";
import { Formatted } from "../../ui/formatted.tsx";
import { IntentButton } from "../../ui/intent-button.tsx";
import { Labelled } from "../../ui/labelled.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { useCan } from "../access/use-can.tsx";

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
export function RefusalBadge({ reason }: MailboxRefusal) {
  const { t } = useTranslation("users");
  const isComplaint = reason === "complained";
  return (
    <Badge
      tone={
        isComplaint ? "border-warning-line bg-warning-fill" : "border-danger-line bg-danger-fill"
      }
    >
      {t(isComplaint ? "mailbox.complained" : "mailbox.refuses")}
    </Badge>
  );
}

/** Says since when a user's mailbox refuses mail, and why, and allows mail again. */
export function RefusalNotice({ reason, note, since }: MailboxRefusal) {
  const { t } = useTranslation("users");
  const format = useFormat();
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
      <p className="font-semibold">
        <Formatted>{t(`mailbox.since.${reason}`, { date: format.moment(since) })}</Formatted>
      </p>
      <p>{t(reason === "complained" ? "mailbox.stillSent" : "mailbox.noCodes")}</p>
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
