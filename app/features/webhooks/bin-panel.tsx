import { Disclosure } from "../../ui/layout/disclosure.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Badge, QuietState } from "../../ui/text/badge.tsx";
import { LocalTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { ShownReceived } from "./deliveries.server.ts";
import { indented, Quoted } from "./quoted.tsx";
import { TypeName } from "./type-name.tsx";

/** What the built-in bin of a webhook received in the last day. */
export function BinPanel({ received }: { received: ShownReceived[] }) {
  const { t } = useTranslation("webhooks");
  return (
    <Panel title={t("bin.title")} intro={t("bin.intro")}>
      {received.length === 0 ? (
        <p className="text-sm">{t("bin.empty")}</p>
      ) : (
        <ul className="grid divide-y divide-line">
          {received.map((one) => (
            <BinRow key={`${one.receivedAt.getTime()}.${one.eventId}`} one={one} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function BinRow({ one }: { one: ShownReceived }) {
  const { t } = useTranslation("webhooks");
  const headers = Object.entries(one.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <li className="grid gap-1 py-3 text-sm first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <TypeName type={one.type} isSample={one.isSample} />
        {one.isSigned ? (
          <QuietState>{t("bin.signed")}</QuietState>
        ) : (
          <Badge tone="border-danger-line bg-danger-fill">{t("bin.unsigned")}</Badge>
        )}
      </div>
      <span className="text-muted">
        <LocalTime date={one.receivedAt} />
      </span>
      <Disclosure title={t("bin.show")}>
        <div className="grid gap-3 pb-2">
          <Quoted title={t("bin.headers")} text={headers.join("\n")} />
          {one.body && <Quoted title={t("bin.body")} text={indented(one.body)} />}
        </div>
      </Disclosure>
    </li>
  );
}
