import { Link } from "react-router";
import { useFormat } from "../../i18n/use-format.ts";
import { useTranslation } from "../../ui/translation.tsx";

type FigureProps = {
  label: string;
  value: number;
  /** The same figure of the period before. */
  before?: number;
  /** The list that shows what was counted. */
  to?: string;
};

/** One number of the dashboard, and where to see what it counts. */
export function Figure({ label, value, before, to }: FigureProps) {
  const { t } = useTranslation("manager");
  const format = useFormat();
  return (
    <div className="relative grid content-start gap-1 rounded-md border border-line bg-panel p-4 shadow-low has-[a:hover]:bg-sunken">
      <dt className="text-sm text-muted">
        {to ? (
          <Link to={to} className="after:absolute after:inset-0 after:rounded-md">
            {label}
          </Link>
        ) : (
          label
        )}
      </dt>
      <dd className="text-xl font-semibold">{format.number(value)}</dd>
      {before !== undefined && (
        <dd className="text-xs text-muted">
          {t("dashboard.change", { change: format.signed(value - before) })}
        </dd>
      )}
    </div>
  );
}
