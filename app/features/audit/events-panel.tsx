import type { ReactNode } from "react";
import { href } from "react-router";
import { Panel, PanelLink } from "../../ui/layout/panel.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { LocalTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { isOwn, type NewestEvent, shownAction } from "./audit-event.ts";
import { ChangeLines } from "./change-lines.tsx";
import { EventIcon } from "./event-icon.tsx";
import { PartyName } from "./party-name.tsx";

type EventsPanelProps = {
  title: string;
  emptyText: string;
  /** Id of what the events are about, or of the user who caused them. */
  id: string;
  side: "target" | "actor";
  events: NewestEvent[];
  /** Above the events, such as a switch to others. */
  children?: ReactNode;
};

/** The newest events about something with who caused them, or by a user with what they are about. */
export function EventsPanel({ title, emptyText, id, side, events, children }: EventsPanelProps) {
  const { t } = useTranslation("logs");
  const { t: eventName } = useTranslation("events");
  return (
    <Panel
      title={title}
      action={
        <PanelLink to={`${href("/manager/audit")}?${side}=${id}`}>{t("audit.fullLog")}</PanelLink>
      }
    >
      {children}
      {events.length === 0 ? (
        <p className="text-sm text-muted">{emptyText}</p>
      ) : (
        <ol className="divide-y divide-line text-sm">
          {events.map((event) => (
            <li key={event.id} className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
              <EventIcon action={event.action} />
              <div className="grid min-w-0 grow gap-1">
                <span className="font-medium">
                  {eventName(shownAction(event) as "user.created")}
                </span>
                <ChangeLines action={event.action} changes={event.changes} isWhole />
                <span className="flex flex-wrap gap-x-3 text-xs text-muted">
                  <LocalTime date={event.createdAt} />
                  <EventDetail event={event} side={side} />
                </span>
              </div>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

/** The other party of an event; for what people did to themselves, the device and the place. */
function EventDetail({ event, side }: Pick<EventsPanelProps, "side"> & { event: NewestEvent }) {
  const { t } = useTranslation("logs");
  const format = useFormat();
  const { target, device, place } = event;
  if (isOwn(event)) {
    const parts = [device && t("audit.device", device), place && format.place(place)];
    const source = parts.filter(Boolean).join(" · ");
    return source && <Formatted>{source}</Formatted>;
  }
  if (side === "target") return <Actor {...event} />;
  return target && <PartyName party={target} />;
}

function Actor({ actor, impersonator }: Pick<NewestEvent, "actor" | "impersonator">) {
  const { t } = useTranslation("logs");
  return (
    <span>
      {actor ? <PartyName party={actor} /> : t("audit.system")}
      {impersonator && (
        <>
          {" · "}
          <PartyName party={impersonator} />
        </>
      )}
    </span>
  );
}
