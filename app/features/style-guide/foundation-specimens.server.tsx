import { Icon } from "../../ui/text/icon.tsx";
import { ICON_NAMES } from "../../ui/text/icon-names.ts";
import { Logo, LogoMark } from "../../ui/text/logo.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Specimen } from "./specimen.ts";
import { Row, State, StateName, Variant } from "./specimen-frame.tsx";

/** Grouped by use. */
const COLORS = {
  surface: ["page", "panel", "sunken", "raised"],
  fill: ["fill", "fill-hover", "fill-active"],
  border: ["line", "line-button", "line-strong"],
  text: ["ink", "muted", "on-accent"],
  accent: ["accent", "accent-hover", "accent-ink", "accent-fill", "accent-line"],
  danger: ["danger", "danger-solid", "danger-fill", "danger-line"],
  success: ["success", "success-fill", "success-line"],
  warning: ["warning", "warning-fill", "warning-line"],
};

const SIZES = ["xs", "sm", "base", "lg", "xl", "2xl"];

const FONT_CLASSES = ["font-medium", "font-semibold", "font-mono"];

/** Colours, type, logo and icons. */
export const FOUNDATION_SPECIMENS: Record<string, Specimen> = {
  colors: () =>
    Object.entries(COLORS).map(([use, names]) => (
      <Variant key={use} name={use}>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-2">
          {names.map((name) => (
            <span key={name} className="grid gap-1">
              <span
                className="h-9 rounded-md border border-line"
                style={{ background: `var(--color-${name})` }}
              />
              <StateName>{name}</StateName>
            </span>
          ))}
        </div>
      </Variant>
    )),
  type: () => (
    <div className="grid gap-5">
      {SIZES.map((size) => (
        <Sentence key={size} size={size} />
      ))}
      {FONT_CLASSES.map((fontClass) => (
        <Sentence key={fontClass} fontClass={fontClass} size="base" />
      ))}
    </div>
  ),
  logo: () => (
    <Row>
      <State name="Logo">
        <Logo />
      </State>
      <State name="LogoMark">
        <LogoMark />
      </State>
    </Row>
  ),
  icons: () => (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-x-2 gap-y-4 text-center">
      {ICON_NAMES.map((name) => (
        <span key={name} className="grid content-start justify-items-center gap-1">
          <Icon name={name} />
          <StateName>{name}</StateName>
        </span>
      ))}
    </div>
  ),
};

function Sentence({ size, fontClass }: { size: string; fontClass?: string }) {
  const { t } = useTranslation("dev");
  const style = { fontSize: `var(--text-${size})`, lineHeight: `var(--text-${size}--line-height)` };
  return (
    <State name={fontClass ?? `text-${size}`}>
      <p style={style} className={fontClass}>
        {t("ui.sentence")}
      </p>
    </State>
  );
}
