import { Icon } from "../../ui/text/icon.tsx";
import type { IconName } from "../../ui/text/icon-names.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Mark } from "./status.ts";

const LOOKS: Record<Mark, { icon: IconName; tone: string }> = {
  works: { icon: "circle-check", tone: "text-success" },
  waiting: { icon: "clock", tone: "text-muted" },
  attention: { icon: "triangle-alert", tone: "text-warning" },
  trouble: { icon: "octagon-x", tone: "text-danger" },
};

type StateMarkProps = {
  mark: Mark;
  /** In place of the usual words for the state. */
  text?: string;
};

/** The state of a part, in words and with an icon. */
export function StateMark({ mark, text }: StateMarkProps) {
  const { t } = useTranslation("system");
  const { icon, tone } = LOOKS[mark];
  return (
    <span className="flex items-center gap-2 text-sm">
      <Icon name={icon} className={`size-4 shrink-0 ${tone}`} />
      {text ?? t(`mark.${mark}`)}
    </span>
  );
}
