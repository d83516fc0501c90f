import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-names.ts";

const TONES = {
  danger: "bg-danger-fill text-danger",
  success: "bg-success-fill text-success",
  quiet: "bg-fill text-muted",
} as const;

type StateDiscProps = { name: IconName; tone: keyof typeof TONES };

/** The picture above the title of an outcome or an empty screen. */
export function StateDisc({ name, tone }: StateDiscProps) {
  return (
    <span className={`w-fit rounded-full p-3 ${TONES[tone]}`}>
      <Icon name={name} className="size-6" />
    </span>
  );
}
