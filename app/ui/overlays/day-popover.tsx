import { type ReactNode, useRef, useState } from "react";
import { buttonClass } from "../forms/button.tsx";
import { focusDay } from "../forms/day.ts";
import { useCssId } from "../layout/use-css-id.ts";
import { Formatted } from "../text/formatted.tsx";
import { Icon } from "../text/icon.tsx";
import { useTranslation } from "../text/translation.tsx";

type DayPopoverProps = {
  /** What the days are for; a phone shows it above them. */
  title: string;
  /** Name of the button; undefined while its text names it. */
  label: string | undefined;
  /** Text of the button: the chosen days. */
  text: string;
  isEmpty: boolean;
  className?: string;
  /** True when the popover stands beside its button where there is room. */
  isBeside?: boolean;
  control?: { id: string; "aria-invalid"?: true; "aria-describedby"?: string } | false;
  /** What the popover shows while it is open. */
  children: (close: () => void) => ReactNode;
};

/** A button like a field, and the popover that it opens: below or beside it, or at the bottom of a phone's screen. */
export function DayPopover(props: DayPopoverProps) {
  const { title, label, text, isEmpty, className = "", isBeside, control, children } = props;
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const panelId = useCssId();
  const anchor = `--day-${panelId}`;
  return (
    <>
      <button
        {...control}
        aria-label={label}
        ref={button}
        type="button"
        popoverTarget={panelId}
        aria-haspopup="dialog"
        style={{ anchorName: anchor }}
        className={`input field-button flex items-center gap-3 text-start [@media(scripting:none)]:hidden ${className} ${isEmpty ? "text-muted" : ""}`}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="calendar" className="size-4 shrink-0 text-muted" />
        <Formatted>{text}</Formatted>
      </button>
      <div
        ref={panel}
        id={panelId}
        popover="auto"
        role="dialog"
        aria-label={t("datePicker.pick")}
        style={{ positionAnchor: anchor }}
        className={`menu-panel ${isBeside ? "lg:menu-beside" : ""} p-2 text-base max-sm:menu-sheet max-sm:@container max-sm:rounded-b-none max-sm:border-x-0 max-sm:border-b-0 max-sm:py-4`}
        // Changes inside the popover are not changes of the form around it.
        onChange={(event) => event.stopPropagation()}
        onToggle={({ newState, currentTarget }) => {
          setIsOpen(newState === "open");
          // A calendar that is loaded already was drawn before it could take the focus.
          if (newState === "open") focusDay(currentTarget);
          // With nested popovers the browser returns the focus only for the outermost.
          const { activeElement, body } = document;
          const isLost = activeElement === body || currentTarget.contains(activeElement);
          if (newState === "closed" && isLost) button.current?.focus();
        }}
      >
        {isOpen && (
          <div className="mx-auto grid w-min gap-2">
            <div className="flex items-center justify-between ps-2 sm:hidden">
              <p className="text-lg font-semibold">{title}</p>
              <button
                type="button"
                popoverTarget={panelId}
                popoverTargetAction="hide"
                aria-label={t("actions.close")}
                className={buttonClass("quiet", "-me-2", true)}
              >
                <Icon name="x" className="size-5" />
              </button>
            </div>
            {children(() => panel.current?.hidePopover())}
          </div>
        )}
      </div>
    </>
  );
}
