import { Formatted } from "../../ui/text/formatted.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { DetailTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { Command } from "./command.tsx";
import { Fact, Facts, PartPanel } from "./facts.tsx";
import type { Mark, SystemStatus } from "./status.ts";

const MIGRATE = "npx wrangler d1 migrations apply gatehouse --remote";

type VersionPanelProps = {
  status: Pick<SystemStatus, "build" | "migrations" | "now">;
  mark: Mark;
};

/** The running version, and whether the database has its migrations. */
export function VersionPanel({ status, mark }: VersionPanelProps) {
  const { t } = useTranslation("system");
  const { build, now } = status;
  return (
    <PartPanel title={t("version.title")} mark={mark === "works" ? undefined : mark}>
      <Facts>
        <Fact term={t("version.release")}>
          <bdi>{build.release}</bdi>
        </Fact>
        <Fact term={t("version.commit")}>
          {/* In a line of its own size it stands on the line of its term. */}
          <span>
            <bdi className="font-mono text-xs">{build.commit}</bdi>
          </span>
        </Fact>
        <Fact term={t("version.built")}>
          <DetailTime date={build.time} now={now} />
        </Fact>
        <Fact term={t("version.migrations")}>
          <Migrations {...status.migrations} />
        </Fact>
      </Facts>
    </PartPanel>
  );
}

function Migrations({ known, missing, newer }: SystemStatus["migrations"]) {
  const { t } = useTranslation("system");
  const format = useFormat();
  const names = (files: string[]) => format.list(files.map(isolate));
  return (
    <>
      {missing.length === 0 && (
        <Formatted>
          {t("version.applied", { count: known, formatted: format.number(known) })}
        </Formatted>
      )}
      {missing.length > 0 && (
        <>
          <Formatted>{t("version.missing", { names: names(missing) })}</Formatted>
          <span className="text-muted">{t("version.missingCure")}</span>
          <Command>{MIGRATE}</Command>
        </>
      )}
      {newer.length > 0 && (
        <>
          <Formatted>{t("version.newer", { names: names(newer) })}</Formatted>
          <span className="text-muted">{t("version.newerCure")}</span>
        </>
      )}
    </>
  );
}
