import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-names.ts";

type IconDiscProps = {
  name: IconName;
  /** True for what takes something away; in red. */
  isSevere?: boolean;
};

/** The icon at the start of a row, on a disc of the row's height. */
export function IconDisc({ name, isSevere = false }: IconDiscProps) {
  const tone = isSevere ? "bg-danger-fill text-danger" : "bg-fill text-muted";
  return (
    <span className={`grid size-7 shrink-0 place-items-center rounded-full ${tone}`}>
      <Icon name={name} className="size-4" />
    </span>
  );
}
