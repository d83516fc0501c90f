import type { FocusEvent, PointerEvent } from "react";
import { useCssId } from "../layout/use-css-id.ts";
import { OPEN_POPOVER } from "../overlays/close-popover.ts";
import { useFormat, useTimeZone } from "./use-format.ts";

type TimeProps = {
  date: Date;
  /** Time of the response, so that server and browser write the same. */
  now: Date;
};

/** A time whose exact moment in UTC is its description. */
function DescribedTime({ date, children }: { date: Date; children: string }) {
  const format = useFormat();
  return (
    <time
      dateTime={date.toISOString()}
      title={format.longMoment(date)}
      suppressHydrationWarning
      className="whitespace-nowrap"
    >
      {children}
    </time>
  );
}

/** A time in a list: the distance from now for 7 days, then the local date. The exact time in UTC is its description. */
export function RelativeTime({ date, now }: TimeProps) {
  const format = useFormat();
  const timeZone = useTimeZone();
  return <DescribedTime date={date}>{format.recent(date, now, timeZone)}</DescribedTime>;
}

/** The local date and time, where the order of things is the point. The exact time in UTC is its description. */
export function LocalTime({ date }: Pick<TimeProps, "date">) {
  const format = useFormat();
  const timeZone = useTimeZone();
  return <DescribedTime date={date}>{format.localMoment(date, timeZone)}</DescribedTime>;
}

/** A relative time that is a text of its own, so it begins with a capital: "Yesterday". */
export function LoneTime({ className = "", ...time }: TimeProps & { className?: string }) {
  return (
    <span className={`inline-block text-muted first-letter:uppercase ${className}`}>
      <RelativeTime {...time} />
    </span>
  );
}

type DetailTimeProps = TimeProps & {
  /** True where a phone has room for the distance too. */
  hasLine?: boolean;
};

/**
 * A time in the details of one thing: the local date and time, and the distance from now. The exact time in UTC opens on
 * hover, focus and tap; without JavaScript on tap only.
 */
export function DetailTime({ date, now, hasLine = false }: DetailTimeProps) {
  const format = useFormat();
  const timeZone = useTimeZone();
  const id = useCssId();
  const anchor = `--time-${id}`;
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        popoverTargetAction="show"
        aria-describedby={id}
        style={{ anchorName: anchor }}
        className="text-start"
        onPointerEnter={(event) => {
          if (event.pointerType === "mouse") open(event);
        }}
        onPointerLeave={close}
        onFocus={open}
        onBlur={close}
      >
        <time
          dateTime={date.toISOString()}
          className="flex flex-wrap gap-x-2"
          suppressHydrationWarning
        >
          <span suppressHydrationWarning>{format.localMoment(date, timeZone)}</span>{" "}
          <span className={`text-muted ${hasLine ? "" : "max-sm:hidden"}`} suppressHydrationWarning>
            {format.ago(date, now)}
          </span>
        </time>
      </button>
      <span
        id={id}
        popover="auto"
        role="tooltip"
        style={{ positionAnchor: anchor }}
        className="menu-panel my-0! px-2 py-1 text-xs"
        suppressHydrationWarning
        onPointerLeave={({ currentTarget }) => currentTarget.hidePopover()}
      >
        {format.longMoment(date)}
      </span>
    </>
  );
}

/** Opens the exact time, but never closes an open menu or drawer for it. */
function open({ currentTarget }: PointerEvent<HTMLButtonElement> | FocusEvent<HTMLButtonElement>) {
  if (document.querySelector(OPEN_POPOVER)) return;
  tipOf(currentTarget)?.showPopover();
}

/** Closes the exact time, unless the pointer moves onto it. */
function close(event: PointerEvent<HTMLButtonElement> | FocusEvent<HTMLButtonElement>) {
  const { currentTarget, relatedTarget } = event;
  const tip = tipOf(currentTarget);
  if (relatedTarget instanceof Node && tip?.contains(relatedTarget)) return;
  tip?.hidePopover();
}

function tipOf({ popoverTargetElement }: HTMLButtonElement): HTMLElement | undefined {
  return popoverTargetElement instanceof HTMLElement ? popoverTargetElement : undefined;
}
