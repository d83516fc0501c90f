import { IconDisc } from "../../ui/text/icon-disc.tsx";
import { LoneTime } from "../../ui/text/relative-time.tsx";
import type { Delivery } from "./delivery.ts";
import { MailBadge, type MailState } from "./mail-badge.tsx";
import { useKindNames, useReasons } from "./use-kind-names.ts";

export type UserMail = {
  id: string;
  kind: string;
  state: MailState;
  lastError: string | null;
  delivery: Delivery | null;
  providerId: string | null;
  deliveryReason: string | null;
  createdAt: Date;
};

/** The mails to one recipient, newest first. */
export function UserMails({ mails, now }: { mails: UserMail[]; now: Date }) {
  const nameOf = useKindNames();
  const reasonOf = useReasons();
  return (
    <ol className="divide-y divide-line text-sm">
      {mails.map((mail) => {
        const { id, kind, createdAt } = mail;
        const reason = reasonOf(mail);
        return (
          <li
            key={id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 first:pt-0 last:pb-0"
          >
            <IconDisc name="mail" />
            <div className="grid min-w-0 grow basis-24 gap-1">
              <span className="font-medium">
                <bdi>{nameOf(kind)}</bdi>
              </span>
              {reason && (
                <span className="text-xs wrap-anywhere text-muted">
                  <bdi>{reason}</bdi>
                </span>
              )}
            </div>
            <MailBadge mail={mail} />
            <LoneTime date={createdAt} now={now} className="shrink-0 text-end sm:min-w-24" />
          </li>
        );
      })}
    </ol>
  );
}
