import { href } from "react-router";
import { Panel } from "../../ui/layout/panel.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { PermittedLink } from "../access/use-can.tsx";
import { type DeliveryCounts, ratesOf } from "./delivery-rates.ts";

const SHOWN = ["delivered", "bounced", "suppressed", "complained"] as const;

type DeliveryPanelProps = {
  counts: DeliveryCounts;
  /** First of the 7 days, for the links to the mail log. */
  from: string;
};

/** What became of the mails of the last 7 days. */
export function DeliveryPanel({ counts, from }: DeliveryPanelProps) {
  const { t } = useTranslation("manager");
  const { total } = ratesOf(counts);
  if (total === 0) {
    return <Panel title={t("dashboard.delivery.title")} intro={t("dashboard.delivery.none")} />;
  }
  return (
    <Panel title={t("dashboard.delivery.title")} intro={t("dashboard.delivery.period")}>
      <Rates counts={counts} from={from} />
    </Panel>
  );
}

function Rates({ counts, from }: DeliveryPanelProps) {
  const { t } = useTranslation("manager");
  const format = useFormat();
  const rates = ratesOf(counts);
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
      {SHOWN.map((delivery) => (
        <div key={delivery} className="grid content-start gap-1">
          <dt className="text-sm text-muted">{t(`dashboard.delivery.${delivery}`)}</dt>
          <dd className="text-xl font-semibold" suppressHydrationWarning>
            {format.rate(rates[delivery])}
          </dd>
          <dd className="text-sm text-muted">
            <PermittedLink
              permission={["mail", "read"]}
              to={`${href("/manager/mail")}?delivery=${delivery}&from=${from}`}
              className="inline-flex min-h-6 items-center underline-offset-4 hover:text-ink hover:underline"
              suppressHydrationWarning
            >
              {t("dashboard.delivery.mails", {
                count: counts[delivery],
                formatted: format.number(counts[delivery]),
              })}
            </PermittedLink>
          </dd>
        </div>
      ))}
    </dl>
  );
}
