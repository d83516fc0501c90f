import type { SelectHTMLAttributes } from "react";
import { Icon } from "../text/icon.tsx";

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & {
  ref?: React.Ref<HTMLSelectElement>;
  isSmall?: boolean;
};

/**
 * A select without the browser's own look, which is taller than other fields in Arabic script. One that must be chosen
 * from shows its option without a value as other fields show a placeholder.
 */
export function Select({ isSmall = false, className = "", ...select }: SelectProps) {
  return (
    <span className={`relative grid ${className}`}>
      <select
        {...select}
        className={`input appearance-none truncate pe-9 required:invalid:text-muted [&>option]:text-ink ${isSmall ? "min-h-control! py-1! text-sm" : ""}`}
      />
      <Icon
        name="chevron-up"
        className="pointer-events-none absolute end-3 size-4 rotate-180 self-center text-muted"
      />
    </span>
  );
}
