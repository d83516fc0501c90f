import { Formatted } from "../../ui/text/formatted.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { Command } from "./command.tsx";
import { failedJobsOf, isLate, jobText, namesOf, type ScheduledRun } from "./cron.ts";
import { Fact, Facts, PartPanel } from "./facts.tsx";
import type { Mark, SystemStatus } from "./status.ts";
import { WithNames } from "./with-names.tsx";

const SCHEDULES = ["minute", "hour"] as const;
type Schedule = (typeof SCHEDULES)[number];

type CronPanelProps = { status: Pick<SystemStatus, "runs" | "now">; mark: Mark };

/** When each schedule last ran, for how long, and what failed. */
export function CronPanel({ status, mark }: CronPanelProps) {
  const { t } = useTranslation("system");
  const { runs, now } = status;
  const runOf = (schedule: Schedule) => runs.find((one) => one.schedule === schedule);
  return (
    <PartPanel title={t("cron.title")} mark={mark}>
      <Facts>
        {SCHEDULES.map((schedule) => (
          <Fact key={schedule} term={t(`cron.${schedule}`)}>
            <LastRun run={runOf(schedule)} now={now} />
          </Fact>
        ))}
      </Facts>
      {!SCHEDULES.every(runOf) && (
        <div className="grid gap-1 text-sm text-muted">
          <p>
            <WithNames>{t("cron.cure")}</WithNames>
          </p>
          <Command>npm run deploy</Command>
        </div>
      )}
    </PartPanel>
  );
}

function LastRun({ run, now }: { run: ScheduledRun | undefined; now: Date }) {
  const { t } = useTranslation("system");
  const format = useFormat();
  if (!run) return t("cron.never");
  const jobs = format.list(
    namesOf(run.failedJobs).map((name) => {
      const text = jobText(name);
      return text ? t(text) : isolate(name);
    }),
  );
  const isFailing = failedJobsOf(run).length > 0;
  return (
    <>
      <Formatted>
        {t("cron.ran", {
          ago: format.ago(run.startedAt, now),
          duration: format.duration(run.durationMs),
        })}
      </Formatted>
      {isLate(run, now) && <span>{t("cron.late")}</span>}
      {isFailing && <span>{t("cron.failing", { jobs })}</span>}
      {!isFailing && run.failedAt && (
        <span className="text-muted">
          <Formatted>{t("cron.failed", { ago: format.ago(run.failedAt, now), jobs })}</Formatted>
        </span>
      )}
    </>
  );
}
