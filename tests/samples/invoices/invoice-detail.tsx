import { panelClass } from "../../ui/layout/panel.tsx";
import { Amount, Day } from "../../ui/text/amount.tsx";
import { Fact } from "../../ui/text/fact.tsx";
import { DetailTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Money } from "../../values/money.ts";
import type { STATUS_CHOICES } from "./invoice-limits.ts";

type InvoiceDetailProps = {
  invoice: {
    customer: string;
    amount: Money;
    dueOn: string | null;
    status: (typeof STATUS_CHOICES)[number];
    notes: string | null;
    createdAt: Date;
    updatedAt: Date;
  };
  now: Date;
};

/** Shows an invoice. Texts are shown as plain text, never as markup. */
export function InvoiceDetail({ invoice, now }: InvoiceDetailProps) {
  const { t } = useTranslation("invoices");
  const { t: record } = useTranslation("records");
  return (
    <div className="@container">
      <div className={`grid gap-4 @3xl:grid-cols-[minmax(0,1fr)_20rem] @3xl:gap-12 ${panelClass}`}>
        <dl className="grid content-start gap-4 text-sm">
          <Fact term={t("fields.customer")}>
            <bdi>{invoice.customer}</bdi>
          </Fact>
          <Fact term={t("fields.amount")}>
            <Amount money={invoice.amount} />
          </Fact>
          <Fact term={t("fields.dueOn")}>
            {invoice.dueOn === null ? (
              <span className="text-muted">{record("none")}</span>
            ) : (
              <Day day={invoice.dueOn} />
            )}
          </Fact>
          <Fact term={t("fields.status")}>{t(`choices.status.${invoice.status}`)}</Fact>
          <Fact term={t("fields.notes")}>
            {invoice.notes === null ? (
              <span className="text-muted">{record("none")}</span>
            ) : (
              <p className="max-w-prose whitespace-pre-line">
                <bdi>{invoice.notes}</bdi>
              </p>
            )}
          </Fact>
        </dl>
        <dl className="grid content-start gap-4 text-sm">
          <Fact term={record("created")}>
            <DetailTime date={invoice.createdAt} now={now} hasLine />
          </Fact>
          {invoice.updatedAt.getTime() !== invoice.createdAt.getTime() && (
            <Fact term={record("updated")}>
              <DetailTime date={invoice.updatedAt} now={now} hasLine />
            </Fact>
          )}
        </dl>
      </div>
    </div>
  );
}
