import { Form, Link } from "react-router";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { Disclosure } from "../../ui/layout/disclosure.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { DayBars } from "../../ui/text/day-bars.tsx";
import { Dotted } from "../../ui/text/dotted.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { LocalTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { isAccepted } from "./accepted.ts";
import { AttemptResult } from "./attempt-result.tsx";
import type { ShownDeliveries, ShownDelivery } from "./deliveries.server.ts";
import { writeDelivery } from "./delivery-key.ts";
import { DELIVERY_DAYS } from "./limits.ts";
import { indented, Quoted } from "./quoted.tsx";
import { offersSkip } from "./state-notices.tsx";
import { TypeName } from "./type-name.tsx";
import { DeliveryState } from "./webhook-state.tsx";
import type { ShownWebhook } from "./webhooks.server.ts";

type DeliveriesPanelProps = Pick<
  ShownDeliveries,
  "deliveries" | "hasMore" | "first" | "isSending" | "days"
> & {
  webhook: ShownWebhook;
  /** True when newer deliveries are on the page before. */
  isOlder: boolean;
  mayChange: boolean;
  path: string;
  now: Date;
};

/** The log of a webhook: each event with what was sent and what the receiver answered. */
export function DeliveriesPanel(props: DeliveriesPanelProps) {
  const { webhook, deliveries, hasMore, first, isSending, days } = props;
  const { isOlder, mayChange, path, now } = props;
  const { t } = useTranslation("webhooks");
  const last = deliveries.at(-1);
  if (!last && !isOlder) {
    return <EmptyState title={t("noDeliveries")} text={t("noDeliveriesText")} />;
  }
  return (
    <Panel title={t("deliveries")} intro={t("deliveriesText")}>
      {days.length > 0 && (
        <DayBars
          title={t("plot.title")}
          good={t("plot.accepted")}
          bad={t("plot.failed")}
          counts={days.map(({ day, accepted, failed }) => ({ day, good: accepted, bad: failed }))}
          length={DELIVERY_DAYS}
          now={now}
        />
      )}
      {isSending && (
        <Link to={path} reloadDocument className="link text-sm [@media(scripting:enabled)]:hidden">
          {t("askAgain")}
        </Link>
      )}
      <ul className="grid divide-y divide-line">
        {deliveries.map((delivery) => (
          <DeliveryRow
            key={writeDelivery(delivery)}
            delivery={delivery}
            isBeingSent={isSending && delivery.eventId === first?.eventId}
            isSkippedAbove={offersSkip(webhook) && delivery.eventId === first?.eventId}
            mayChange={mayChange}
          />
        ))}
      </ul>
      {(hasMore || isOlder) && (
        <div className="flex flex-wrap gap-3">
          {isOlder && (
            <ButtonLink variant="secondary" isSmall to={path} preventScrollReset>
              {t("newest")}
            </ButtonLink>
          )}
          {hasMore && last && (
            <ButtonLink
              variant="secondary"
              isSmall
              to={`${path}?before=${writeDelivery(last)}`}
              preventScrollReset
            >
              {t("older")}
            </ButtonLink>
          )}
        </div>
      )}
    </Panel>
  );
}

type DeliveryRowProps = {
  delivery: ShownDelivery;
  isBeingSent: boolean;
  /** True for the event that the notice above offers to skip. */
  isSkippedAbove: boolean;
  mayChange: boolean;
};

function DeliveryRow({ delivery, isBeingSent, isSkippedAbove, mayChange }: DeliveryRowProps) {
  const { t } = useTranslation("webhooks");
  const format = useFormat();
  const { createdAt, state, tries, type, body, attempts } = delivery;
  const [last] = attempts;
  const key = writeDelivery(delivery);
  return (
    <li className="grid gap-1 py-3 text-sm first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <TypeName type={type} />
        <DeliveryState
          state={state}
          isBeingSent={isBeingSent}
          wasRefused={last !== undefined && !isAccepted(last)}
        />
      </div>
      <span className="text-muted">
        <Dotted>
          <LocalTime date={createdAt} />
          {tries > 0 && (
            <Formatted>{t("tries", { count: tries, formatted: format.number(tries) })}</Formatted>
          )}
          {last && <AttemptResult {...last} />}
        </Dotted>
      </span>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        {(body || last) && (
          <div className="min-w-0 grow basis-60">
            <Disclosure title={t("showDelivery")}>
              <Exchange delivery={delivery} />
            </Disclosure>
          </div>
        )}
        {mayChange && body && (
          <div className="flex flex-wrap gap-3">
            {/* One that was never tried waits for another, which would be tried in its place. */}
            {(state !== "waiting" || tries > 0) && (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="delivery" value={key} />
                <Button variant="secondary" isSmall name="intent" value="repeat-delivery">
                  {t(state === "delivered" || state === "skipped" ? "sendAgain" : "again")}
                </Button>
              </Form>
            )}
            {state === "waiting" && tries > 0 && !isSkippedAbove && (
              <ConfirmDrawer
                intent="skip-delivery"
                trigger={t("skip")}
                text={t("skipText")}
                confirm={t("skip")}
                needsProof
              >
                <input type="hidden" name="delivery" value={key} />
              </ConfirmDrawer>
            )}
          </div>
        )}
      </div>
    </li>
  );
}

/** The body of an event, and each attempt with its answer, the last one first. */
function Exchange({ delivery: { body, attempts } }: Pick<DeliveryRowProps, "delivery">) {
  const { t } = useTranslation("webhooks");
  return (
    <div className="grid gap-3 pb-2">
      {attempts.length > 0 && (
        <div className="grid gap-1">
          <h3 className="text-muted">{t("attempts")}</h3>
          <ol className="grid gap-2 border-s-2 border-line ps-3">
            {attempts.map((attempt) => (
              <li key={attempt.triedAt?.getTime()} className="grid gap-1">
                <span className="flex flex-wrap gap-x-3">
                  <span className={isAccepted(attempt) ? "text-success" : "text-danger"}>
                    {t(isAccepted(attempt) ? "accepted" : "notAccepted")}
                  </span>
                  {attempt.triedAt && <LocalTime date={attempt.triedAt} />}
                  <span className="text-muted">
                    <AttemptResult {...attempt} />
                  </span>
                </span>
                {attempt.answer && <Quoted title={t("answer")} text={attempt.answer} />}
              </li>
            ))}
          </ol>
        </div>
      )}
      {body && <Quoted title={t("request")} text={indented(body)} />}
    </div>
  );
}
