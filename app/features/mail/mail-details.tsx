import { href } from "react-router";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ExactTime, Fact, IdFact, MomentFact } from "../../ui/text/fact.tsx";
import { RecordJson } from "../../ui/text/record-json.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useCan } from "../access/use-can.tsx";
import type { Delivery } from "./delivery.ts";
import { isInLocalInbox, type MailState } from "./mail-badge.tsx";
import { useReasons } from "./use-kind-names.ts";

export type MailRow = {
  id: string;
  kind: string;
  recipient: string;
  userId: string | null;
  userName: string | null;
  state: MailState;
  tries: number;
  providerId: string | null;
  lastError: string | null;
  nextTryAt: Date;
  sentAt: Date | null;
  delivery: Delivery | null;
  deliveryAt: Date | null;
  /** The words of the provider or of the mailbox's server. */
  deliveryReason: string | null;
  createdAt: Date;
  canRetry: boolean;
};

/** All of a mail but its content, with a link to the recipient. */
export function MailDetails({ mail }: { mail: MailRow }) {
  const { t } = useTranslation("logs");
  const { kind, recipient, userId, userName } = mail;
  const can = useCan();
  return (
    <RecordJson record={recordOf(mail)} facts={<MailFacts mail={mail} />}>
      {kind === "login-code" && (
        <ButtonLink
          variant="secondary"
          isSmall
          to={`${href("/manager/mail/sign-in")}?${new URLSearchParams({ email: recipient })}`}
        >
          {t("signIn.link")}
        </ButtonLink>
      )}
      {userId && can("user", "get") && (
        <ButtonLink variant="secondary" isSmall to={href("/manager/users/:id", { id: userId })}>
          {t("audit.open", { name: userName || recipient })}
        </ButtonLink>
      )}
    </RecordJson>
  );
}

/**
 * What is known about a mail beside what its row says, in the reader's words. The subject is not known: it may hold a
 * code.
 */
function MailFacts({ mail }: { mail: MailRow }) {
  const { t } = useTranslation("logs");
  const { id, state, tries, createdAt, sentAt, nextTryAt } = mail;
  const reason = useReasons()(mail);
  return (
    <>
      <MomentFact term={t("mail.queued")} date={createdAt} />
      <DeliveryFact mail={mail} />
      <IdFact id={id} />
      {tries > 1 && <Fact term={t("mail.state")}>{t("mail.attempts", { count: tries })}</Fact>}
      {sentAt && !isInLocalInbox(mail) && !isSameSecond(sentAt, createdAt) && (
        <MomentFact term={t("mail.states.sent")} date={sentAt} />
      )}
      {state === "waiting" && <MomentFact term={t("mail.nextTry")} date={nextTryAt} />}
      {reason && (
        <Fact term={t("audit.fields.reason")}>
          <bdi className="wrap-anywhere">{reason}</bdi>
        </Fact>
      )}
    </>
  );
}

/** What became of a sent mail, and since when. */
function DeliveryFact({ mail }: { mail: MailRow }) {
  const { t } = useTranslation("logs");
  const { state, delivery, deliveryAt } = mail;
  if (isInLocalInbox(mail)) return <Fact term={t("mail.delivery")}>{t("mail.notSentHere")}</Fact>;
  if (!delivery && state !== "sent") return null;
  return (
    <Fact term={t("mail.delivery")}>
      {delivery ? (
        t(`mail.deliveries.${delivery}`)
      ) : (
        <span className="text-muted">{t("mail.notReported")}</span>
      )}
      {deliveryAt && <ExactTime date={deliveryAt} />}
    </Fact>
  );
}

function isSameSecond(one: Date, other: Date): boolean {
  return Math.trunc(one.getTime() / 1_000) === Math.trunc(other.getTime() / 1_000);
}

function recordOf(mail: MailRow): object {
  const { id, kind, recipient, state, tries, providerId, lastError } = mail;
  const { createdAt, sentAt, nextTryAt, delivery, deliveryAt, deliveryReason } = mail;
  return {
    id,
    type: kind,
    recipient,
    status: state,
    attempts: tries,
    providerId: providerId ?? undefined,
    lastError: lastError ?? undefined,
    queuedAt: createdAt,
    sentAt: sentAt ?? undefined,
    ...(delivery && { delivery, deliveryAt, deliveryReason: deliveryReason ?? undefined }),
    ...(state === "waiting" && { nextAttemptAt: nextTryAt }),
  };
}
