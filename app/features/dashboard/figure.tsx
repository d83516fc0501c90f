import { Link } from "react-router";
import { useTranslation } from "../../ui/translation.tsx";
import { useFormat } from "../../ui/use-format.ts";

type FigureProps = {
  label: string;
  /** Null until the first count. */
  value: number | null;
  /** The same figure for the previous period. */
  before?: number;
  /** Further text below the figure. */
  note?: string;
  /** Path of the list that shows the counted items. */
  to: string;
};

/** One figure of the dashboard, with a link to the list that shows what it counts. */
export function Figure({ label, value, before, note, to }: FigureProps) {
  const { t } = useTranslation("manager");
  const format = useFormat();
  return (
    <div className="relative grid content-start gap-1 rounded-md border border-line bg-panel p-4 shadow-low transition-colors duration-150 has-[a:hover]:bg-sunken">
      <dt className="text-sm text-muted">
        <Link to={to} className="after:absolute after:inset-0 after:rounded-md">
          {label}
        </Link>
      </dt>
      <dd className="text-xl font-semibold" suppressHydrationWarning>
        {value === null ? "–" : format.number(value)}
      </dd>
      {before !== undefined && (
        <dd className="text-xs text-muted" suppressHydrationWarning>
          {t("dashboard.change", { change: isolateSign(format.signed((value ?? 0) - before)) })}
        </dd>
      )}
      {note && <dd className="text-xs text-muted">{note}</dd>}
    </div>
  );
}

/** Keeps the sign before its number in right-to-left text (Unicode LRI and PDI). */
function isolateSign(number: string): string {
  return `\u2066${number}\u2069`;
}
