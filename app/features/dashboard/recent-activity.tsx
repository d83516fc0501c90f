import { aroundValues } from "../../ui/text/around-values.ts";
import { Avatar } from "../../ui/text/avatar.tsx";
import { Dotted } from "../../ui/text/dotted.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { LoneTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { AuditAction } from "../audit/actions.ts";
import type { Party } from "../audit/audit-event.ts";
import { PartyName } from "../audit/party-name.tsx";

type RecentActivityProps = {
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
export function RecentActivity({ events, now }: RecentActivityProps) {
  const { t } = useTranslation("manager");
  const { t: eventName } = useTranslation("events");
  const { t: log } = useTranslation("logs");
  if (events.length === 0) {
    return <p className="text-sm text-muted">{t("dashboard.noEvents")}</p>;
  }
  const [before, after] = aroundValues((name) => log("audit.as", { name }));
  return (
    <ol className="-my-2 divide-y divide-line text-sm wrap-anywhere">
      {events.map(({ id, action, actor, target, createdAt }) => (
        <li key={id} className="flex items-center gap-3 py-2">
          <PartyPicture party={actor ?? target} />
          <span className="grid min-w-0 grow">
            <span>{eventName(action as AuditAction)}</span>
            <span className="text-muted">
              <Dotted hasSentence>
                {target && <PartyName party={target} />}
                {actor && actor.id !== target?.id && (
                  <span>
                    {before}
                    <PartyName party={actor} />
                    {after}
                  </span>
                )}
              </Dotted>
            </span>
          </span>
          <LoneTime date={createdAt} now={now} className="shrink-0 self-start" />
        </li>
      ))}
    </ol>
  );
}

/** The picture of a user; an icon for anything else. */
function PartyPicture({ party }: { party: Party | undefined }) {
  if (party?.type === "user" && party.name !== undefined) {
    const { name, email = party.id, avatar } = party;
    return <Avatar name={name} email={email} avatar={avatar} />;
  }
  return (
    <span className="grid size-8 shrink-0 place-items-center rounded-full bg-fill text-muted">
      <Icon name="scroll-text" className="size-4" />
    </span>
  );
}
