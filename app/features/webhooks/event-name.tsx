import { useTranslation } from "../../ui/text/translation.tsx";
import { type EventType, nameKeyOf } from "./events.ts";

/** A type of events in the words of the audit log. */
export function EventName({ type }: { type: EventType }) {
  const { t } = useTranslation("events");
  return <span>{t(nameKeyOf(type))}</span>;
}
