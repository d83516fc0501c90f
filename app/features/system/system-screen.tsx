import type { ReactNode } from "react";
import { href } from "react-router";
import { ProgressBar } from "../../ui/feedback/progress-bar.tsx";
import { IntentButton } from "../../ui/forms/intent-button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { DetailTime } from "../../ui/text/relative-time.tsx";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { withBreaks } from "../../ui/text/with-breaks.tsx";
import { DATABASE_BYTES } from "../../values/platform-limits.ts";
import { PermittedLink, useCan } from "../access/use-can.tsx";
import { type Build, BuildInformation } from "./build-information.tsx";
import { Command } from "./command.tsx";
import { failedJobsOf, isLate, type Schedule } from "./cron.ts";
import { byCommand, type Gap } from "./set-up.ts";
import { TestMailButton } from "./set-up-list.tsx";
import type { BoundedCount, SystemStatus } from "./status.server.ts";
import { isolated, type TroublesProps } from "./trouble-items.tsx";
import type { Trouble } from "./troubles.ts";
import { WithNames } from "./with-names.tsx";

/** A mail that a manager sent to themselves, as the mail log has it. */
type TestMail = {
  id: string;
  state: "waiting" | "sent" | "expired" | "failed";
  delivery: string | null;
  createdAt: Date;
};

type SystemPageProps = {
  status: SystemStatus;
  troubles: Trouble[];
  gaps: Gap[];
  /** The newest test mail. */
  testMail: TestMail | undefined;
  /** True when the set-up list of the dashboard is hidden. */
  isListHidden: boolean;
  build: Build;
};

/**
 * What does not work, what is not set up, whether mail is leaving and the cron ran, how full the
 * database is, and which build runs.
 */
export function SystemPage(props: SystemPageProps) {
  const { status, troubles, gaps, testMail, isListHidden, build } = props;
  return (
    <div className="grid gap-4 md:gap-6">
      {troubles.length > 0 && <TroublesPanel troubles={troubles} />}
      <div className="grid items-start gap-4 md:gap-6 xl:grid-cols-2">
        <div className="grid gap-4 md:gap-6">
          <MailPanel mail={status.mail} testMail={testMail} now={status.now} />
          <CronPanel runs={status.runs} now={status.now} />
          <DatabasePanel {...status.database} />
        </div>
        <SetUpPanel gaps={gaps} isListHidden={isListHidden} />
      </div>
      <BuildInformation {...build} />
    </div>
  );
}

/** What does not work, each with what to do about it. */
function TroublesPanel({ troubles }: TroublesProps) {
  const { t } = useTranslation("system");
  const text = useText();
  return (
    <Panel title={text("manager:dashboard.attention.title")}>
      <ul className="grid gap-3 text-sm">
        {troubles.map(({ name, shown }) => (
          <li key={name} className="flex items-start gap-2">
            <Icon name="octagon-x" className="mt-0.5 size-4 shrink-0 text-danger" />
            <span className="grid">
              <span className="font-medium">
                {text(`manager:trouble.${name}`, isolated(shown))}
              </span>
              <span className="text-muted">{t(`cure.${name}`)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

type MailPanelProps = Pick<SystemStatus, "mail" | "now"> & Pick<SystemPageProps, "testMail">;

function MailPanel({ mail, testMail, now }: MailPanelProps) {
  const { t } = useTranslation("system");
  const format = useFormat();
  const may = useCan();
  const { waiting, oldestWaitingAt, lastSentAt } = mail;
  return (
    <Panel title={t("mail.title")} action={may("settings", "update") && <TestMailButton />}>
      <Facts>
        <Fact term={t("mail.delivery")}>{t(mail.isLocal ? "mail.local" : "mail.provider")}</Fact>
        <Fact term={t("mail.waiting")}>
          <Count value={waiting} />
        </Fact>
        {oldestWaitingAt && (
          <Fact term={t("mail.oldest")}>
            <Formatted>{format.ago(oldestWaitingAt, now)}</Formatted>
          </Fact>
        )}
        <Fact term={t("mail.failed")}>
          <Count value={mail.failed} />
        </Fact>
        <Fact term={t(mail.isLocal ? "mail.lastKept" : "mail.lastSent")}>
          {lastSentAt ? <DetailTime date={lastSentAt} now={now} /> : t("mail.unknown")}
        </Fact>
        <Fact term={t("testMail.title")}>
          {testMail ? (
            <>
              {t(`testMail.state.${fateOf(testMail, mail.isLocal)}`)}
              <DetailTime date={testMail.createdAt} now={now} />
              <PermittedLink
                permission={["mail", "read"]}
                to={`${href("/manager/mail")}?searchTerm=${testMail.id}`}
                className="text-accent-ink underline-offset-4 hover:underline"
              >
                {t("testMail.open")}
              </PermittedLink>
            </>
          ) : (
            t("testMail.none")
          )}
        </Fact>
      </Facts>
    </Panel>
  );
}

/**
 * The outcome of a mail as far as it is known. The mailbox's answer counts more than the
 * provider's.
 */
function fateOf({ state, delivery }: TestMail, isLocal: boolean) {
  if (state !== "sent") return state;
  if (isLocal) return "local";
  return delivery === "delivered" || delivery === "bounced" ? delivery : "accepted";
}

const SCHEDULES: Schedule[] = ["minute", "hour"];

/** When each schedule last ran, for how long, and which jobs failed, by their names in the log. */
function CronPanel({ runs, now }: Pick<SystemStatus, "runs" | "now">) {
  const { t } = useTranslation("system");
  const format = useFormat();
  const isMissing = SCHEDULES.some((one) => !runs.some(({ schedule }) => schedule === one));
  return (
    <Panel title={t("cron.title")}>
      <Facts>
        {SCHEDULES.map((schedule) => {
          const run = runs.find((one) => one.schedule === schedule);
          const failed = run && failedJobsOf(run);
          return (
            <Fact key={schedule} term={t(`cron.${schedule}`)}>
              {run ? (
                <Formatted>
                  {t("cron.ran", {
                    ago: format.ago(run.startedAt, now),
                    duration: format.duration(run.durationMs),
                  })}
                </Formatted>
              ) : (
                t("cron.never")
              )}
              {run && isLate(run, now) && <span>{t("cron.late")}</span>}
              {failed && (
                <span>
                  {t("cron.failing")} <Code>{failed}</Code>
                </span>
              )}
            </Fact>
          );
        })}
      </Facts>
      {isMissing && (
        <div className="grid gap-1 text-sm text-muted">
          <p>
            <WithNames>{t("cron.cure")}</WithNames>
          </p>
          <Command>npm run deploy</Command>
        </div>
      )}
    </Panel>
  );
}

function DatabasePanel({ plan, bytes }: SystemStatus["database"]) {
  const { t } = useTranslation("system");
  const format = useFormat();
  const limit = DATABASE_BYTES[plan];
  return (
    <Panel title={t("database.title")}>
      <Facts>
        <Fact term={t("database.size")}>
          <Formatted>
            {t("of", {
              used: isolate(format.bytes(bytes)),
              limit: isolate(format.bytes(limit)),
              percent: isolate(format.percent(bytes / limit)),
            })}
          </Formatted>
          <ProgressBar label={t("database.size")} done={bytes} total={limit} />
        </Fact>
        <Fact term={t("database.plan")}>{t(`database.${plan}`)}</Fact>
      </Facts>
    </Panel>
  );
}

/** What is not set up: each step with its setting, and below the steps the command that does them. */
function SetUpPanel({ gaps, isListHidden }: Pick<SystemPageProps, "gaps" | "isListHidden">) {
  const { t } = useTranslation("system");
  const may = useCan();
  return (
    <Panel id="set-up" title={t("setUp.title")}>
      {gaps.length === 0 && <Fine>{t("setUp.fine")}</Fine>}
      <ul className="grid gap-4 text-sm empty:hidden">
        {byCommand(gaps).map(({ command, steps }) => (
          <li key={command} className="grid gap-2">
            <ul className="grid gap-3">
              {steps.map(({ gap, setting }) => (
                <li key={gap} className="grid gap-0.5 wrap-anywhere">
                  <span className="flex flex-wrap items-baseline gap-x-2">
                    <span className="font-medium">{t(`setUp.step.${gap}`)}</span>
                    <bdi className="font-mono text-xs text-muted">{withBreaks(setting, "_")}</bdi>
                  </span>
                  <span className="text-muted">
                    <WithNames>{t(`setUp.gap.${gap}`)}</WithNames>
                  </span>
                </li>
              ))}
            </ul>
            <Command>{command}</Command>
          </li>
        ))}
      </ul>
      {isListHidden && may("settings", "update") && (
        <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
          {t("setUp.isHidden")}
          <IntentButton intent="show-set-up">{t("setUp.show")}</IntentButton>
        </div>
      )}
    </Panel>
  );
}

function Fine({ children }: { children: string }) {
  return (
    <p className="flex items-center gap-2 text-sm">
      <Icon name="circle-check" className="size-5 shrink-0 text-success" />
      {children}
    </p>
  );
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-3 text-sm">{children}</dl>;
}

/** One fact. On a phone a short value ends the line of its term, and a long one stands below it. */
function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 sm:grid sm:grid-cols-[9.5rem_minmax(0,1fr)]">
      <dt className="text-muted">{term}</dt>
      <dd className="grid min-w-0 justify-items-start gap-1 wrap-anywhere">{children}</dd>
    </div>
  );
}

/** A count, or "more than" where counting stopped. */
function Count({ value }: { value: BoundedCount }) {
  const { t } = useTranslation("system");
  const formatted = useFormat().number(value.count);
  return <Formatted>{value.isMore ? t("more", { formatted }) : formatted}</Formatted>;
}

function Code({ children }: { children: string }) {
  return (
    <code dir="ltr" translate="no" className="rounded-md bg-fill px-0.5 font-mono text-xs">
      {children}
    </code>
  );
}
