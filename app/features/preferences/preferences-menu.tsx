import { Form, href } from "react-router";
import { LANGUAGE_NAMES, LANGUAGES } from "../../i18n/languages.ts";
import { THEME_CHOICES } from "../../ui/forms/theme-choice.ts";
import { useDocument } from "../../ui/layout/document.tsx";
import { closePopover } from "../../ui/overlays/close-popover.ts";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useHere } from "./use-here.ts";
import { useThemeForm } from "./use-theme-form.ts";

const ICONS = { light: "sun", dark: "moon", system: "monitor" } as const;

/** Menu of the languages and the themes, in the header of every page. */
export function PreferencesMenu() {
  const { t } = useTranslation();
  return (
    <Menu label={t("account.preferences")} trigger={<Icon name="languages" className="size-5" />}>
      <Languages />
      <Themes />
    </Menu>
  );
}

function Languages() {
  const { t, i18n } = useTranslation();
  const here = useHere();
  return (
    // Loads a new document, because a new language changes every text, direction and size at once.
    <Form method="post" action={href("/preferences")} reloadDocument>
      <fieldset>
        <legend className="sr-only">{t("language.choose")}</legend>
        <input type="hidden" name="intent" value="language" />
        <input type="hidden" name="back" value={here} />
        {LANGUAGES.map((language) => (
          <button
            key={language}
            type="submit"
            name="value"
            value={language}
            lang={language}
            aria-pressed={language === i18n.language}
            className="menu-item"
          >
            <span className="grow">{LANGUAGE_NAMES[language]}</span>
            {language === i18n.language && <Icon name="check" className="size-4 text-accent-ink" />}
          </button>
        ))}
      </fieldset>
    </Form>
  );
}

function Themes() {
  const { t } = useTranslation();
  const { theme } = useDocument();
  const sendTheme = useThemeForm();
  const here = useHere();
  return (
    <form
      method="post"
      action={href("/preferences")}
      onSubmit={sendTheme}
      className="mt-1 border-t border-line pt-1"
    >
      <fieldset>
        <legend className="sr-only">{t("theme.choose")}</legend>
        <input type="hidden" name="intent" value="theme" />
        <input type="hidden" name="back" value={here} />
        {THEME_CHOICES.map((choice) => (
          <button
            key={choice}
            type="submit"
            name="value"
            value={choice}
            aria-pressed={choice === theme}
            className="menu-item"
            onClick={closePopover}
          >
            <Icon name={ICONS[choice]} className="size-4 text-muted" />
            <span className="grow">{t(`theme.${choice}`)}</span>
            {choice === theme && <Icon name="check" className="size-4 text-accent-ink" />}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
