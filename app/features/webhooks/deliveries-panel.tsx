import { Form } from "react-router";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { Disclosure } from "../../ui/layout/disclosure.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { Dotted } from "../../ui/text/dotted.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { LocalTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import type { AttemptError } from "./attempt.server.ts";
import { writeDelivery } from "./delivery-key.ts";
import { EventName } from "./webhook-fields.tsx";
import { DeliveryState } from "./webhook-state.tsx";
import type { ShownDelivery } from "./webhooks.server.ts";

type DeliveriesPanelProps = {
  deliveries: ShownDelivery[];
  hasMore: boolean;
  /** True when newer deliveries are on the page before. */
  isOlder: boolean;
  /** True where the text of answers is shown too. */
  isOfSite: boolean;
  mayChange: boolean;
  path: string;
};

/** The log of a webhook: each event with what was sent and what the receiver answered. */
export function DeliveriesPanel(props: DeliveriesPanelProps) {
  const { deliveries, hasMore, isOlder, isOfSite, mayChange, path } = props;
  const { t } = useTranslation("webhooks");
  const last = deliveries.at(-1);
  if (!last && !isOlder) {
    return <EmptyState title={t("noDeliveries")} text={t("noDeliveriesText")} />;
  }
  return (
    <Panel title={t("deliveries")} intro={t("deliveriesText")}>
      <ul className="grid divide-y divide-line">
        {deliveries.map((delivery) => (
          <DeliveryRow
            key={writeDelivery(delivery)}
            delivery={delivery}
            isOfSite={isOfSite}
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

type DeliveryRowProps = { delivery: ShownDelivery; isOfSite: boolean; mayChange: boolean };

function DeliveryRow({ delivery, isOfSite, mayChange }: DeliveryRowProps) {
  const { t } = useTranslation("webhooks");
  const format = useFormat();
  const { createdAt, state, tries, type, body, triedAt } = delivery;
  const key = writeDelivery(delivery);
  return (
    <li className="grid gap-1 py-3 text-sm first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <span className="flex min-w-0 flex-wrap gap-x-2 font-medium">
          {type ? <EventName type={type} /> : t("notStored")}
          {type && (
            <code dir="ltr" lang="en" className="font-normal text-muted wrap-anywhere">
              {type}
            </code>
          )}
        </span>
        <DeliveryState state={state} tries={tries} />
      </div>
      <span className="text-muted">
        <Dotted>
          <LocalTime date={createdAt} />
          {tries > 0 && (
            <Formatted>{t("tries", { count: tries, formatted: format.number(tries) })}</Formatted>
          )}
          {triedAt && tries > 0 && <AttemptResult {...delivery} />}
        </Dotted>
      </span>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        {(body || (isOfSite && tries > 0)) && (
          <div className="min-w-0 grow basis-60">
            <Disclosure title={t(isOfSite ? "showDelivery" : "request")}>
              <Exchange delivery={delivery} isOfSite={isOfSite} />
            </Disclosure>
          </div>
        )}
        {mayChange && body && (
          <div className="flex flex-wrap gap-3">
            <Form method="post" preventScrollReset>
              <input type="hidden" name="delivery" value={key} />
              <Button variant="secondary" isSmall name="intent" value="repeat-delivery">
                {t("again")}
              </Button>
            </Form>
            {state === "waiting" && tries > 0 && (
              <ConfirmDrawer
                intent="skip-delivery"
                trigger={t("skip")}
                text={t("skipText")}
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

type AttemptResultProps = {
  status: number | null;
  error: string | null;
  durationMs: number | null;
};

/** The status of an answer or why there was none, and how long it took. */
export function AttemptResult({ status, error, durationMs }: AttemptResultProps) {
  const { t } = useTranslation("webhooks");
  const format = useFormat();
  return (
    <Dotted>
      {/* The sender writes only these. */}
      {error !== null && t(`error.${error as AttemptError}`)}
      {status !== null && t("status", { status })}
      {durationMs !== null && durationMs > 0 && (
        <Formatted>{format.duration(durationMs)}</Formatted>
      )}
    </Dotted>
  );
}

type ExchangeProps = Pick<DeliveryRowProps, "delivery" | "isOfSite">;

function Exchange({ delivery: { body, status, answer }, isOfSite }: ExchangeProps) {
  const { t } = useTranslation("webhooks");
  return (
    <div className="grid gap-3 pb-2">
      {body && (
        <Quoted title={t("request")} text={JSON.stringify(JSON.parse(body), undefined, 2)} />
      )}
      {status !== null && answer && <Quoted title={t("answer")} text={answer} />}
      {isOfSite && status !== null && !answer && <p className="text-muted">{t("noAnswer")}</p>}
    </div>
  );
}

function Quoted({ title, text }: { title: string; text: string }) {
  return (
    <div className="grid gap-1">
      <h3 className="text-muted">{title}</h3>
      <pre
        dir="ltr"
        lang="en"
        translate="no"
        className="rounded-md border border-line bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
    </div>
  );
}
