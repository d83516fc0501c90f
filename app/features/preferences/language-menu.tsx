import { Form, href } from "react-router";
import { LANGUAGE_NAMES, LANGUAGES } from "../../i18n/languages.ts";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useHere } from "./use-here.ts";

export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  const here = useHere();
  return (
    <Menu label={t("language.choose")} trigger={<Icon name="languages" className="size-5" />}>
      {/* Loads a new document, because a new language changes every text, direction and size at once. */}
      <Form method="post" action={href("/preferences")} reloadDocument>
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
      </Form>
    </Menu>
  );
}
