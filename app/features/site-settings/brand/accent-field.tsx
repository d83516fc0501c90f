import { Message, type MessageReference } from "../../../ui/text/message.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { ACCENT_NAMES, type AccentName, accentOf } from "../../../values/accents.ts";
import { contrast, contrastLevel } from "../../../values/contrast.ts";

/** Colour of text on an accent, in both themes: `--color-on-accent` of `theme.css`. */
const TEXT = "#ffffff";

type AccentFieldProps = {
  value: string;
  defaultAccent: AccentName;
  errors: MessageReference[] | undefined;
  onChoose: (accent: string) => void;
};

/** Choice of the accent. Each has its colour, its name, and its contrast with text. */
export function AccentField({ value, defaultAccent, errors, onChoose }: AccentFieldProps) {
  const { t } = useTranslation("settings");
  const [error] = errors ?? [];
  return (
    <fieldset
      id="field-accent"
      className="grid gap-3"
      aria-describedby={error && "field-accent-error"}
      onChange={({ target }) => target instanceof HTMLInputElement && onChoose(target.value)}
    >
      <legend className="sr-only">{t("brand.accent")}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,13rem),1fr))] gap-2">
        <Swatch
          value=""
          accent={defaultAccent}
          label={t("brand.accentDefault", { accent: t(`brand.accents.${defaultAccent}`) })}
          isChosen={value === ""}
        />
        {ACCENT_NAMES.map((accent) => (
          <Swatch
            key={accent}
            value={accent}
            accent={accent}
            label={t(`brand.accents.${accent}`)}
            isChosen={value === accent}
          />
        ))}
      </div>
      <p id="field-accent-error" role="alert" className="text-sm text-danger empty:hidden">
        {error && <Message value={error} />}
      </p>
    </fieldset>
  );
}

type SwatchProps = { value: string; accent: AccentName; label: string; isChosen: boolean };

function Swatch({ value, accent, label, isChosen }: SwatchProps) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const { solid } = accentOf(accent);
  const ratio = contrast(TEXT, solid);
  // Cut, not rounded: 4.49 is not enough.
  const shown = format.number(Math.floor(ratio * 10) / 10);
  const id = `accent-${value || "default"}`;
  return (
    <label className="flex min-h-14 cursor-pointer items-center gap-3 rounded-md border border-line px-3 py-2 text-sm outline-accent-ink hover:bg-fill has-checked:border-accent-ink has-checked:bg-fill">
      <input
        type="radio"
        name="accent"
        value={value}
        defaultChecked={isChosen}
        aria-describedby={id}
        className="size-5 shrink-0"
      />
      <span
        aria-hidden="true"
        className="grid size-9 shrink-0 place-items-center rounded-md font-semibold"
        style={{ background: solid, color: TEXT }}
      >
        Aa
      </span>
      <span className="grid min-w-0">
        {label}
        <span id={id} className="text-xs text-muted" suppressHydrationWarning>
          {t("brand.contrast", { ratio: shown, level: contrastLevel(ratio) ?? "–" })}
        </span>
      </span>
    </label>
  );
}
