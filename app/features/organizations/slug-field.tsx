import type { ReactNode } from "react";
import { type FieldProps, TextField } from "../../ui/forms/field.tsx";
import { SLUG_MAX_LENGTH } from "./organization-limits.ts";

type SlugFieldProps = Pick<FieldProps, "label" | "errors" | "liveNote" | "rule"> & {
  hint: ReactNode;
  /** For a field that the screen fills in while the name is typed; otherwise `defaultValue`. */
  value?: string;
  defaultValue?: string;
  onType?: (value: string) => void;
  required?: boolean;
};

export function SlugField({ onType, ...field }: SlugFieldProps) {
  return (
    <TextField
      name="slug"
      dir="ltr"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={SLUG_MAX_LENGTH}
      onChange={onType && ((event) => onType(event.currentTarget.value))}
      {...field}
    />
  );
}
