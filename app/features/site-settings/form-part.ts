import type { MessageReference } from "../../ui/text/message.tsx";
import type { SignUpMode } from "./choices.ts";

/** The form's fields as texts; a checked box is "yes". */
export type AccessValues = { [name: string]: string | undefined };

type AccessDefaults = {
  signUpMode: SignUpMode;
  terms: {
    url?: string | undefined;
    version?: string | undefined;
    privacyUrl?: string | undefined;
  };
};

export type FormPartProps = {
  values: AccessValues;
  /** The environment's values, which hold for what is not set. */
  defaults: AccessDefaults;
  errors: Record<string, MessageReference[]>;
};

/** True when one of the fields is filled in or refused, so that its part of the form opens unfolded. */
export function isInUse(
  { values, errors }: Pick<FormPartProps, "values" | "errors">,
  ...names: string[]
): boolean {
  return names.some((name) => values[name] || errors[name]);
}
