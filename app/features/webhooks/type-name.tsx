import { useTranslation } from "../../ui/text/translation.tsx";
import { EventName } from "./event-name.tsx";
import type { EventType } from "./events.ts";
import { TEST_TYPE } from "./samples.ts";

type TypeNameProps = {
  /** Undefined for an event that is no longer stored. */
  type: EventType | typeof TEST_TYPE | undefined;
  isSample?: boolean;
};

/** The type of an event or a sample, in the reader's words and as programs name it. */
export function TypeName({ type, isSample = false }: TypeNameProps) {
  const { t } = useTranslation("webhooks");
  return (
    <span className="flex min-w-0 flex-wrap gap-x-2 font-medium">
      {isSample && <span>{t("sampleOf")}</span>}
      {type === undefined && t("notStored")}
      {type !== undefined && type !== TEST_TYPE && <EventName type={type} />}
      {type && (
        <code dir="ltr" lang="en" className="font-normal text-muted wrap-anywhere">
          {type}
        </code>
      )}
    </span>
  );
}
