import { Link } from "react-router";
import { useTranslation } from "../../ui/translation.tsx";
import { useFormat } from "../../ui/use-format.ts";

type FigureProps = {
  label: string;
  /** Null before it has been counted for the first time. */
  value: number | null;
  /** The same figure of the period before. */
  before?: number;
  /** What else there is to say. */
  note?: string;
  /** The list that shows what was counted. */
  to: string;
};

/** One number of the dashboard, and where to see what it counts. */
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

/** Keeps a sign before its number where the sentence runs from right to left (Unicode LRI and PDI). */
function isolateSign(number: string): string {
  return `\u2066${number}\u2069`;
}
