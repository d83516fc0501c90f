import type { MessageKey } from "../../i18n/message-key.ts";
import type { IconName } from "../../ui/text/icon-names.ts";

/**
 * Actions for the record of the open screen. The screen that runs one checks the permission again.
 */
export type InViewAction = {
  /** Key of the text, with a place for the `name`. */
  label: MessageKey;
  name: string;
  to: string;
  icon: IconName;
};

type Screen = { handle?: unknown; loaderData?: unknown };

/**
 * Returns the actions for the records of the open screens. A route's `handle` has a function
 * `inView` for it.
 */
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
