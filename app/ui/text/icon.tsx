import type { IconName } from "./icon-names.ts";
import sprite from "./icons.svg?url";

type IconProps = { name: IconName; className?: string };

/** Icons that point the other way where the text runs from right to left. */
const MIRRORED: readonly IconName[] = [
  "arrow-left",
  "arrow-right",
  "chevron-right",
  "external-link",
  "log-in",
  "log-out",
  "panel-left",
];

/**
 * One of Lucide's icons, from one shared SVG file, so icons need no script. Decorative: the text beside it must say its
 * meaning.
 */
export function Icon({ name, className = "size-5" }: IconProps) {
  return (
    <svg
      className={MIRRORED.includes(name) ? `${className} rtl:-scale-x-100` : className}
      aria-hidden="true"
    >
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
