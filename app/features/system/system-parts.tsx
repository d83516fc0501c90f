import { CopyButton } from "../../ui/copy-button.tsx";
import { ScreenTitle } from "../../ui/document.tsx";
import { ScreenHeader } from "../../ui/screen-header.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { CronPanel } from "./cron-panel.tsx";
import { reportOf } from "./report.ts";
import { DatabasePanel, MailPanel, PlatformPanel } from "./service-panels.tsx";
import { SettingsPanel } from "./settings-panel.tsx";
import { StateMark } from "./state-mark.tsx";
import { marksOf, type Part, type SystemStatus, worstFirst, worstOf } from "./status.ts";
import { TroublesPanel } from "./troubles.tsx";
import { VersionPanel } from "./version-panel.tsx";

/** The state of each part of the product, for the people who run it. */
export function SystemParts({ status }: { status: SystemStatus }) {
  const { t } = useTranslation("system");
  const marks = marksOf(status);
  return (
    <div className="grid gap-4 md:gap-6">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <ScreenHeader title={t("title")} badges={<StateMark mark={worstOf(Object.values(marks))} />}>
        <CopyButton text={reportOf(status)} label={t("copy")} isIconOnPhone />
      </ScreenHeader>
      <TroublesPanel troubles={status.troubles} now={status.now} />
      {/* Every second part stands in the second column. One column, where there is room for no more, has their order. */}
      <div className="grid items-start gap-4 md:gap-6 xl:grid-cols-2">
        {[0, 1].map((column) => (
          <div key={column} className="contents xl:grid xl:gap-6">
            {worstFirst(marks).map((part, index) => {
              if (index % 2 !== column) return null;
              const PartPanel = PANELS[part];
              return (
                <div key={part} className="grid min-w-0" style={{ order: index }}>
                  <PartPanel status={status} mark={marks[part]} />
                </div>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

const PANELS = {
  mail: MailPanel,
  cron: CronPanel,
  database: DatabasePanel,
  version: VersionPanel,
  platform: PlatformPanel,
  settings: SettingsPanel,
} satisfies Record<Part, unknown>;
