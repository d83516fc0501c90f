import { buttonClass } from "../../ui/forms/button.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import type { IconName } from "../../ui/text/icon-names.ts";

/** Classes of a tool at the end of a list's toolbar. */
export const toolClass = buttonClass("quiet", "font-normal text-muted", true);

/** Where there is little room only the icon shows; the tool's name says the same. */
export function ToolText({ icon, text }: { icon: IconName; text: string }) {
  return (
    <>
      <Icon name={icon} className="size-4 shrink-0" />
      <span className="list-roomy">{text}</span>
    </>
  );
}
