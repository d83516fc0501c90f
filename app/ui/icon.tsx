import type { IconName } from "./icon-names.ts";
import sprite from "./icons.svg?url";

type IconProps = { name: IconName; className?: string };

/**
 * One of Lucide's icons, from one shared SVG file, so icons need no script. Decorative: the text beside it must say its
 * meaning.
 */
export function Icon({ name, className = "size-5" }: IconProps) {
  return (
    <svg className={className} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
