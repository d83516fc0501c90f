import { IconDisc } from "../../ui/text/icon-disc.tsx";
import { LoneTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Delivery } from "./delivery.ts";
import { MailBadge, type MailState } from "./mail-badge.tsx";
import { MAIL_KINDS } from "./mail-message.ts";

export type UserMail = {
  id: string;
  kind: string;
  state: MailState;
  lastError: string | null;
  delivery: Delivery | null;
  deliveryReason: string | null;
  createdAt: Date;
};

/** The mails to one recipient, newest first. */
export function UserMails({ mails, now }: { mails: UserMail[]; now: Date }) {
  const { t } = useTranslation("logs");
  return (
    <ol className="divide-y divide-line text-sm">
      {mails.map(({ id, kind, state, lastError, delivery, deliveryReason, createdAt }) => {
        const reason = state === "sent" ? deliveryReason : lastError;
        const known = MAIL_KINDS.find((name) => name === kind);
        return (
          <li
            key={id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 first:pt-0 last:pb-0"
          >
            <IconDisc name="mail" />
            <div className="grid min-w-0 grow basis-24 gap-1">
              <span className="font-medium">
                {known ? t(`mail.kinds.${known}`) : <bdi>{kind}</bdi>}
              </span>
              {reason && (
                <span className="text-xs wrap-anywhere text-muted">
                  <bdi>{reason}</bdi>
                </span>
              )}
            </div>
            <MailBadge state={state} delivery={delivery} />
            <LoneTime date={createdAt} now={now} className="shrink-0 text-end sm:min-w-24" />
          </li>
        );
      })}
    </ol>
  );
}
