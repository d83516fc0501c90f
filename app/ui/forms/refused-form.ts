import type { MessageReference } from "../text/message.tsx";

/** Values and errors of a form that was refused; undefined before a form is sent. */
export type RefusedForm =
  | { values: Record<string, string>; errors: Record<string, MessageReference[]> }
  | undefined;

/** Returns the refused form when it has this intent: a screen may have several forms. */
export function refusedFor(form: RefusedForm, intent: string): RefusedForm {
  return form?.values.intent === intent ? form : undefined;
}
