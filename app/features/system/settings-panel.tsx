import { Disclosure } from "../../ui/layout/disclosure.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { withBreaks } from "../../ui/text/with-breaks.tsx";
import { Command } from "./command.tsx";
import { PartPanel } from "./facts.tsx";
import { CURES } from "./problems.ts";
import type { Mark, SystemStatus } from "./status.ts";
import { WithNames } from "./with-names.tsx";

export const SETTINGS_ID = "settings";

type SettingsPanelProps = { status: Pick<SystemStatus, "settings" | "problems">; mark: Mark };

/** What to change in the settings, and the name of every setting. Never a value. */
export function SettingsPanel({ status, mark }: SettingsPanelProps) {
  const { t } = useTranslation("system");
  const format = useFormat();
  const { settings, problems } = status;
  const count = settings.length;
  return (
    <PartPanel id={SETTINGS_ID} title={t("settings.title")} mark={mark}>
      {problems.length === 0 && <p className="text-sm">{t("settings.fine")}</p>}
      {problems.length > 0 && (
        <ul className="grid gap-4 text-sm">
          {problems.map(({ setting, problem }) => (
            <li key={problem} className="grid justify-items-start gap-1 wrap-anywhere">
              <bdi className="font-mono text-xs font-semibold">{withBreaks(setting, "_")}</bdi>
              <span className="text-muted">
                <WithNames>{t(`settings.problem.${problem}`)}</WithNames>
              </span>
              {CURES[problem] && <Command>{CURES[problem]}</Command>}
            </li>
          ))}
        </ul>
      )}
      <Disclosure
        title={
          <Formatted>{t("settings.all", { count, formatted: format.number(count) })}</Formatted>
        }
      >
        <table className="w-full text-start">
          <thead className="text-muted">
            <tr>
              <th className="py-1 pe-4 text-start font-normal">{t("settings.name")}</th>
              <th className="py-1 text-start font-normal">{t("settings.state")}</th>
            </tr>
          </thead>
          <tbody>
            {settings.map(({ name, state }) => (
              <tr key={name} className="border-t border-line">
                <td className="py-1 pe-4 wrap-anywhere">
                  <bdi className="font-mono text-xs">{withBreaks(name, "_")}</bdi>
                </td>
                <td className={`py-1 ${state === "set" ? "" : "text-muted"}`}>
                  {t(`settings.states.${state}`)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Disclosure>
    </PartPanel>
  );
}
