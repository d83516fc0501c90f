import type { MessageReference } from "./message.tsx";

/** The kinds of the specification, section 3. */
export const TOAST_KINDS = ["loading", "success", "error", "info", "warning", "default"] as const;

/** A short message that goes away by itself. */
export type Toast = {
  id: string;
  kind: (typeof TOAST_KINDS)[number];
  message: MessageReference;
  /** Offers to take back what was done: a form with this intent, posted to this address. */
  undo?: { action: string; intent: string };
};
