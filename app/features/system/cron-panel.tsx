import { Formatted } from "../../ui/formatted.tsx";
import { isolate } from "../../ui/isolate.ts";
import { useTranslation } from "../../ui/translation.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { failedJobsOf, isLate, jobText, namesOf, type ScheduledRun } from "./cron.ts";
import { Fact, Facts, PartPanel } from "./facts.tsx";
import type { Mark, SystemStatus } from "./status.ts";

type CronPanelProps = { status: Pick<SystemStatus, "runs" | "now">; mark: Mark };

/** When each schedule last ran, for how long, and what failed. */
export function CronPanel({ status, mark }: CronPanelProps) {
  const { t } = useTranslation("system");
  const { runs, now } = status;
  return (
    <PartPanel title={t("cron.title")} mark={mark}>
      <Facts>
        {(["minute", "hour"] as const).map((schedule) => (
          <Fact key={schedule} term={t(`cron.${schedule}`)}>
            <LastRun run={runs.find((one) => one.schedule === schedule)} now={now} />
          </Fact>
        ))}
      </Facts>
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
