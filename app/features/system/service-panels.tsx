import { aroundValues } from "../../ui/text/around-values.ts";
import { Formatted } from "../../ui/text/formatted.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { DetailTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { Count, Fact, Facts, PartPanel } from "./facts.tsx";
import { rowLimitsOf, sizeLimitOf } from "./plan.ts";
import { SETTINGS_ID } from "./settings-panel.tsx";
import { hasMailProblem, type Mark, type SystemStatus } from "./status.ts";
import { WithNames } from "./with-names.tsx";

type MailPanelProps = { status: Pick<SystemStatus, "mail" | "problems" | "now">; mark: Mark };

/** The queue of mails, and when the last one was sent. */
export function MailPanel({ status, mark }: MailPanelProps) {
  const { t } = useTranslation("system");
  const format = useFormat();
  const { mail, now } = status;
  const { waiting, oldestWaitingAt, hasAny, lastSentAt } = mail;
  const count = format.number(waiting.count);
  return (
    <PartPanel title={t("mail.title")} mark={mark}>
      <Facts>
        <Fact term={t("mail.delivery")}>{t(mail.isLocal ? "mail.local" : "mail.provider")}</Fact>
        <Fact term={t("mail.waiting")}>
          {oldestWaitingAt ? (
            <Formatted>
              {t("mail.waitingSince", {
                count: waiting.isMore ? t("more", { formatted: count }) : count,
                ago: format.ago(oldestWaitingAt, now),
              })}
            </Formatted>
          ) : (
            <Count value={waiting} />
          )}
        </Fact>
        <Fact term={t("mail.failed")}>
          <Count value={mail.failed} />
        </Fact>
        <Fact term={t("mail.lastSent")}>
          {lastSentAt ? (
            <DetailTime date={lastSentAt} now={now} />
          ) : (
            t(hasAny ? "mail.unknown" : "mail.none")
          )}
        </Fact>
      </Facts>
      {hasMailProblem(status) && <SeeSettings />}
    </PartPanel>
  );
}

/** Says that settings keep mails from arriving, with a link to the panel that says which. */
function SeeSettings() {
  const { t } = useTranslation("system");
  const [before, after] = aroundValues((settings) => t("mail.settings", { settings }));
  return (
    <p className="text-sm text-muted">
      {before}
      <a href={`#${SETTINGS_ID}`} className="font-medium text-accent-ink underline">
        {t("settings.title")}
      </a>
      {after}
    </p>
  );
}

type DatabasePanelProps = { status: Pick<SystemStatus, "database">; mark: Mark };

/** Size of the database, and the rows read and written today, against the plan. */
export function DatabasePanel({ status, mark }: DatabasePanelProps) {
  const { t } = useTranslation("system");
  const format = useFormat();
  const { plan, bytes, usage } = status.database;
  const limits = rowLimitsOf(plan);
  return (
    <PartPanel title={t("database.title")} mark={mark}>
      <Facts>
        <Fact term={t("database.plan")}>{t(`database.${plan}`)}</Fact>
        <Fact term={t("database.size")}>
          <Share used={bytes} limit={sizeLimitOf(plan)} format={format.bytes} />
        </Fact>
        {usage.isKnown ? (
          <>
            <Fact term={t("database.read")}>
              <Share used={usage.rowsRead} limit={limits.read} format={format.number} />
            </Fact>
            <Fact term={t("database.written")}>
              <Share used={usage.rowsWritten} limit={limits.written} format={format.number} />
            </Fact>
          </>
        ) : (
          <Fact term={t("database.rows")}>
            <p className="text-muted">
              <WithNames>{t(`database.usage.${usage.reason}`)}</WithNames>
            </p>
          </Fact>
        )}
      </Facts>
    </PartPanel>
  );
}

type ShareProps = { used: number; limit: number | undefined; format: (value: number) => string };

/** A figure, of its limit if it has one. */
function Share({ used, limit, format }: ShareProps) {
  const { t } = useTranslation("system");
  const { percent } = useFormat();
  return (
    <Formatted>
      {limit === undefined
        ? format(used)
        : t("of", {
            used: isolate(format(used)),
            limit: isolate(format(limit)),
            percent: isolate(percent(used / limit)),
          })}
    </Formatted>
  );
}

/** The parts of the platform beside the database, and what protects the sign-in. */
export function PlatformPanel({ status, mark }: { status: SystemStatus; mark: Mark }) {
  const { t } = useTranslation("system");
  const format = useFormat();
  const { bucket, assets, passkeys, providers } = status;
  return (
    <PartPanel title={t("platform.title")} mark={mark}>
      <Facts>
        <Fact term={t("platform.bucket")}>
          {bucket === "none" ? t("platform.noBucket") : t(`platform.binding.${bucket}`)}
        </Fact>
        <Fact term={t("platform.assets")}>{t(`platform.binding.${assets}`)}</Fact>
        <Fact term={t("platform.captcha")}>
          {t(status.hasCaptcha ? "platform.on" : "platform.off")}
        </Fact>
        <Fact term={t("platform.providers")}>
          {providers.length === 0 ? (
            t("none")
          ) : (
            <Formatted>{format.list(providers.map(isolate))}</Formatted>
          )}
        </Fact>
        <Fact term={t("platform.passkeyHost")}>
          <bdi>{passkeys.host}</bdi>
        </Fact>
        <Fact term={t("platform.passkeyAdmins")}>
          <Formatted>
            {t("platform.ofAdmins", {
              part: format.number(passkeys.withPasskey),
              whole: format.number(passkeys.admins.count),
            })}
          </Formatted>
        </Fact>
        <Fact term={t("platform.environment")}>
          {status.environment ? <bdi>{status.environment}</bdi> : t("platform.noEnvironment")}
        </Fact>
      </Facts>
    </PartPanel>
  );
}
