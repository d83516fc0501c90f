import { useMemo } from "react";
import { useServerAnswer } from "../../server-functions/use-server-answer.ts";
import { Formatted } from "../../ui/text/formatted.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { agreementTo, type Consequence, MOST_COUNTED } from "./access-consequences.ts";

type ConsequencesProps = {
  /** The form's values, after the first change. */
  typed: string | undefined;
  /** The answer to the last press of the button. */
  answered: readonly Consequence[] | undefined;
};

/**
 * Tells what a save would end or ask for: while the form is changed, and else after the first press
 * of its button.
 */
export function Consequences({ typed, answered }: ConsequencesProps) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const payload = useMemo(() => (typed === undefined ? undefined : { typed }), [typed]);
  const live = useServerAnswer("access-consequences", payload);
  const shown = live ?? answered ?? [];
  return (
    <>
      <input type="hidden" name="agreed" value={agreementTo(shown)} />
      <div role="status" className="w-full empty:hidden">
        {shown.length > 0 && (
          <ul className="grid gap-1 rounded-md border border-warning-line bg-warning-fill p-3 text-sm">
            {shown.map(({ kind, count }) => (
              <li key={kind}>
                <Formatted>
                  {t(`consequences.${kind}`, {
                    count,
                    formatted: `${format.number(Math.min(count, MOST_COUNTED))}${count > MOST_COUNTED ? "+" : ""}`,
                  })}
                </Formatted>
              </li>
            ))}
            {answered && <li>{t("consequences.again")}</li>}
          </ul>
        )}
      </div>
    </>
  );
}
