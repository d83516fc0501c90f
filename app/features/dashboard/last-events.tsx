import { aroundValue } from "../../ui/around-value.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { AuditAction } from "../audit/actions.ts";
import type { Party } from "../audit/audit-log.server.ts";
import { PartyName } from "../audit/party-name.tsx";

type LastEventsProps = {
  events: {
    id: string;
    action: string;
    actor: Party | undefined;
    target: Party | undefined;
    createdAt: Date;
  }[];
  now: Date;
};

/** Newest events: the action, its target, and its actor when that is another person. */
export function LastEvents({ events, now }: LastEventsProps) {
  const { t } = useTranslation("manager");
  const { t: eventName } = useTranslation("events");
  const { t: log } = useTranslation("logs");
  if (events.length === 0) {
    return <p className="text-sm text-muted">{t("dashboard.noEvents")}</p>;
  }
  const [before, after] = aroundValue((name) => log("audit.as", { name }));
  return (
    <ol className="grid gap-3 text-sm wrap-anywhere">
      {events.map(({ id, action, actor, target, createdAt }) => (
        <li key={id} className="flex justify-between gap-3">
          <span className="grid">
            <span>{eventName(action as AuditAction)}</span>
            <span className="text-muted">
              {target && <PartyName party={target} />}
              {actor && actor.id !== target?.id && (
                <>
                  {" "}
                  {before}
                  <PartyName party={actor} />
                  {after}
                </>
              )}
            </span>
          </span>
          <span className="shrink-0 text-muted">
            <RelativeTime date={createdAt} now={now} />
          </span>
        </li>
      ))}
    </ol>
  );
}
