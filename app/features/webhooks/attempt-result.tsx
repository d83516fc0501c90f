import { Dotted } from "../../ui/text/dotted.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import type { ShownAttempt } from "./deliveries.server.ts";

type AttemptResultProps = Pick<ShownAttempt, "status" | "error" | "durationMs">;

/**
 * The status of an answer or why there was none, and how long it took. The bin answers without a
 * status.
 */
export function AttemptResult({ status, error, durationMs }: AttemptResultProps) {
  const { t } = useTranslation("webhooks");
  const format = useFormat();
  return (
    <Dotted>
      {error !== null && t(`error.${error}`)}
      {status !== null && t("status", { status })}
      {error === null && status === null && t("bin.kept")}
      {durationMs !== null && durationMs > 0 && (
        <Formatted>{format.duration(durationMs)}</Formatted>
      )}
    </Dotted>
  );
}
