import type { CheckedMessage, MessageReference } from "../text/message.tsx";

/** Toast kinds of the specification, section 3. */
export const TOAST_KINDS = ["loading", "success", "error", "info", "warning", "default"] as const;

/** A short message that disappears by itself. */
export type Toast = {
  id: string;
  kind: (typeof TOAST_KINDS)[number];
  message: MessageReference;
  /** Offers to undo the change: a form with this intent and these fields, posted to this URL. */
  undo?: { action: string; intent: string; fields?: [name: string, value: string][] };
};

/** A toast that an action leaves for the next page. */
export type NewToast = Omit<Toast, "id" | "message"> & { message: CheckedMessage };
