import { CopyButton } from "../../ui/copy-button.tsx";
import { ScreenTitle } from "../../ui/document.tsx";
import { ScreenHeader } from "../../ui/screen-header.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { CronPanel } from "./cron-panel.tsx";
import { reportOf } from "./report.ts";
import { DatabasePanel, MailPanel, PlatformPanel } from "./service-panels.tsx";
import { SettingsPanel } from "./settings-panel.tsx";
import { StateMark } from "./state-mark.tsx";
import { marksOf, type SystemStatus, worstOf } from "./status.ts";
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
        <CopyButton text={reportOf(status)} label={t("copy")} />
      </ScreenHeader>
      <TroublesPanel troubles={status.troubles} now={status.now} />
      <div className="columns-1 gap-6 *:mb-4 *:break-inside-avoid md:*:mb-6 xl:columns-2">
        <MailPanel status={status} mark={marks.mail} />
        <CronPanel status={status} mark={marks.cron} />
        <DatabasePanel database={status.database} mark={marks.database} />
        <VersionPanel status={status} mark={marks.version} />
        <PlatformPanel status={status} mark={marks.platform} />
        <SettingsPanel status={status} mark={marks.settings} />
      </div>
    </div>
  );
}
