import { CopyButton } from "../../ui/forms/copy-button.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { CronPanel } from "./cron-panel.tsx";
import { reportOf } from "./report.ts";
import { DatabasePanel, MailPanel, PlatformPanel } from "./service-panels.tsx";
import { SettingsPanel } from "./settings-panel.tsx";
import { StateMark } from "./state-mark.tsx";
import { type Mark, marksOf, type Part, type SystemStatus, worstFirst, worstOf } from "./status.ts";
import { TroublesPanel } from "./troubles.tsx";
import { VersionPanel } from "./version-panel.tsx";

/** The state of each part of the product, for the people who run it. */
export function SystemParts({ status }: { status: SystemStatus }) {
  const { t } = useTranslation("system");
  const marks = marksOf(status);
  return (
    <div className="grid gap-4 md:gap-6">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <ScreenHeader title={t("title")} badges={<WorstMark marks={Object.values(marks)} />}>
        <CopyButton text={reportOf(status)} label={t("copy")} isIconOnPhone />
      </ScreenHeader>
      <TroublesPanel troubles={status.troubles} now={status.now} />
      <div className="columns-1 gap-6 *:mb-4 *:break-inside-avoid md:*:mb-6 xl:columns-2">
        {worstFirst(marks).map((part) => {
          const PartPanel = PANELS[part];
          return <PartPanel key={part} status={status} mark={marks[part]} />;
        })}
      </div>
    </div>
  );
}

/** The worst state of all parts, and how many have it. */
function WorstMark({ marks }: { marks: Mark[] }) {
  const { t } = useTranslation("system");
  const format = useFormat();
  const worst = worstOf(marks);
  // A part that has not started yet is no fault of the whole.
  if (worst === "works" || worst === "waiting") return <StateMark mark="works" />;
  const count = marks.filter((mark) => mark === worst).length;
  const text = t(`parts.${worst}`, { count, formatted: format.number(count) });
  return <StateMark mark={worst} text={text} />;
}

const PANELS = {
  mail: MailPanel,
  cron: CronPanel,
  database: DatabasePanel,
  version: VersionPanel,
  platform: PlatformPanel,
  settings: SettingsPanel,
} satisfies Record<Part, unknown>;
