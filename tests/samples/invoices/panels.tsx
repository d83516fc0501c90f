import { href, Link } from "react-router";
import type { FeaturePanels, PanelProps } from "../../feature.ui.ts";
import { Panel, PanelLink } from "../../ui/layout/panel.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { RelativeTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { roleCan } from "../access/organization-permissions.ts";
import type { invoicesServer } from "./feature.server.ts";
import type { invoices } from "./feature.ts";

type Shown = { rows: { id: string; title: string; updatedAt: Date }[]; count: number };

/** The invoices that were changed last, and a link to all; without any, a link to the first. */
function InvoicesOfOrganization({
  subject: { slug, role },
  shown: { rows, count },
  now,
}: PanelProps<"organizationOverview", Shown>) {
  const { t } = useTranslation("organizations");
  if (!roleCan(role, "invoice", "read")) return null;
  const all = href("/app/organizations/:slug/invoices", { slug });
  return (
    <Panel
      title={t("nav.invoices")}
      action={count > 0 && <PanelLink to={all}>{t("invoices.all", { count })}</PanelLink>}
    >
      {rows.length === 0 ? (
        <div className="grid gap-2 text-sm text-muted">
          <p>{t("invoices.none")}</p>
          {roleCan(role, "invoice", "create") && (
            <p>
              <PanelLink to={`${all}/new`}>{t("invoices.new")}</PanelLink>
            </p>
          )}
        </div>
      ) : (
        <ul className="-mx-3 -my-1 grid">
          {rows.map(({ id, title, updatedAt }) => (
            <li key={id} className="min-w-0">
              <Link
                to={href("/app/organizations/:slug/invoices/:invoice", { slug, invoice: id })}
                className="group flex min-h-11 min-w-0 items-center gap-3 rounded-md px-3 py-1 text-sm hover:bg-fill"
              >
                <Icon name="scroll-text" className="size-4 shrink-0 text-muted" />
                <bdi className="truncate font-medium group-hover:underline">{title}</bdi>
                <span className="ms-auto text-muted">
                  <RelativeTime date={updatedAt} now={now} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

export const invoicePanels = {
  "invoices-of-organization": InvoicesOfOrganization,
} satisfies FeaturePanels<typeof invoices, typeof invoicesServer>;
