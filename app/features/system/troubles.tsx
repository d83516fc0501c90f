import { href, Link } from "react-router";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { type Trouble, untoldOf } from "./alarms.ts";

type TroublesProps = { troubles: Trouble[]; now: Date };

/** What holds now, each with its beginning. Shows nothing when all is well. */
export function TroublesPanel({ troubles, now }: TroublesProps) {
  const { t } = useTranslation("system");
  const manager = useTranslation("manager");
  const format = useFormat();
  if (troubles.length === 0) return null;
  return (
    <Panel title={t("troubles.title")} intro={t("troubles.mailed")}>
      <ul className="grid gap-3 text-sm">
        {troubles.map(({ kind, since }) => (
          <li key={kind} className="flex items-start gap-2">
            <Icon name="octagon-x" className="mt-0.5 size-4 shrink-0 text-danger" />
            <span className="grid">
              <span className="font-medium">{manager.t(`trouble.${kind}`)}</span>
              <span className="text-muted">
                <Formatted>{t("troubles.since", { ago: format.ago(since, now) })}</Formatted>
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Tells managers of what a mail may not tell them, on every screen of the back-office. */
export function TroubleNotice({ troubles }: { troubles: Trouble[] }) {
  const { t } = useTranslation("manager");
  const untold = untoldOf(troubles);
  if (untold.length === 0) return null;
  return (
    <div className="mb-4">
      <Notice kind="warning">
        <ul className="grid gap-1">
          {untold.map(({ kind }) => (
            <li key={kind}>{t(`trouble.${kind}`)}</li>
          ))}
        </ul>
        <Link
          to={href("/manager/system")}
          className="inline-flex min-h-control items-center font-medium underline underline-offset-4"
        >
          {t("trouble.more")}
        </Link>
      </Notice>
    </div>
  );
}

/** List items of what holds now, for the dashboard. */
export function TroubleItems({ troubles, now }: TroublesProps) {
  const { t } = useTranslation("manager");
  const format = useFormat();
  return troubles.map(({ kind, since }) => (
    <li key={kind}>
      <Link
        to={href("/manager/system")}
        className="flex min-h-control items-center gap-2 rounded-md border border-line-button px-3 transition-colors duration-150 hover:bg-fill"
      >
        <Icon name="octagon-x" className="size-4 shrink-0 text-danger" />
        {t(`trouble.${kind}`)}
        <span className="text-muted">
          <Formatted>{format.ago(since, now)}</Formatted>
        </span>
      </Link>
    </li>
  ));
}
