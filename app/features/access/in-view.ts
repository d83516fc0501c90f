import type { MessageKey } from "../../i18n/message-key.ts";
import type { IconName } from "../../ui/text/icon-names.ts";

/** What can be done to what a screen shows. The screen, or the one that it leads to, checks the permission again. */
export type InViewAction = {
  /** Key of the text, with a place for the `name`. */
  label: MessageKey;
  name: string;
  to: string;
  icon: IconName;
};

type Screen = { handle?: unknown; loaderData?: unknown };

/** Returns what can be done to what the open screens show: their `handle` has a function `inView` for it. */
export function actionsInView(screens: readonly Screen[]): readonly InViewAction[] {
  return screens.flatMap(({ handle, loaderData }) =>
    hasActions(handle) && loaderData !== undefined ? handle.inView(loaderData) : [],
  );
}

/** A screen that failed has no data. */
function hasActions(
  handle: unknown,
): handle is { inView: (data: unknown) => readonly InViewAction[] } {
  return (
    typeof handle === "object" &&
    handle !== null &&
    "inView" in handle &&
    typeof handle.inView === "function"
  );
}
