import type { ReactNode } from "react";
import { Form, href } from "react-router";
import { LANGUAGE_NAMES, LANGUAGES } from "../../i18n/languages.ts";
import { THEME_CHOICES } from "../../ui/forms/theme-choice.ts";
import { useDocument } from "../../ui/layout/document.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useHere } from "./use-here.ts";
import { useThemeForm } from "./use-theme-form.ts";

/** Language and theme choices of the account screen; all options are visible. */
export function PreferenceChoices() {
  const { t, i18n } = useTranslation();
  const { theme } = useDocument();
  const sendTheme = useThemeForm();
  const here = useHere();
  return (
    <div className="grid gap-4">
      <Form method="post" action={href("/preferences")} reloadDocument>
        <Choices
          label={t("language.choose")}
          intent="language"
          back={here}
          columns="grid-cols-2 sm:grid-cols-4"
        >
          {LANGUAGES.map((language) => (
            <button
              key={language}
              type="submit"
              name="value"
              value={language}
              lang={language}
              aria-pressed={language === i18n.language}
              className={choiceClass}
            >
              {LANGUAGE_NAMES[language]}
            </button>
          ))}
        </Choices>
      </Form>
      <form method="post" action={href("/preferences")} onSubmit={sendTheme}>
        <Choices label={t("theme.choose")} intent="theme" back={here} columns="grid-cols-3">
          {THEME_CHOICES.map((choice) => (
            <button
              key={choice}
              type="submit"
              name="value"
              value={choice}
              aria-pressed={choice === theme}
              className={choiceClass}
            >
              {t(`theme.${choice}`)}
            </button>
          ))}
        </Choices>
      </form>
    </div>
  );
}

const choiceClass =
  "min-h-11 rounded-md border border-line-button px-2 text-sm transition-colors duration-150 hover:bg-fill aria-pressed:border-accent-line aria-pressed:bg-accent-fill aria-pressed:font-medium aria-pressed:text-accent-ink";

type ChoicesProps = {
  label: string;
  intent: string;
  back: string;
  /** Classes of the grid, so that all choices have one width. */
  columns: string;
  children: ReactNode;
};

function Choices({ label, intent, back, columns, children }: ChoicesProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-2 text-sm font-medium">{label}</legend>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="back" value={back} />
      <div className={`grid gap-2 ${columns}`}>{children}</div>
    </fieldset>
  );
}
