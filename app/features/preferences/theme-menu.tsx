import { href, useFetcher } from "react-router";
import { THEME_CHOICES } from "../../ui/forms/theme-choice.ts";
import { useDocument } from "../../ui/layout/document.tsx";
import { closePopover } from "../../ui/overlays/close-popover.ts";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useHere } from "./use-here.ts";

const ICONS = { light: "sun", dark: "moon", system: "monitor" } as const;

export function ThemeMenu() {
  const { t } = useTranslation();
  const { theme, setTheme } = useDocument();
  const fetcher = useFetcher();
  const here = useHere();
  return (
    <Menu label={t("theme.choose")} trigger={<Icon name={ICONS[theme]} />}>
      <fetcher.Form method="post" action={href("/preferences")}>
        <input type="hidden" name="intent" value="theme" />
        <input type="hidden" name="back" value={here} />
        {THEME_CHOICES.map((choice) => {
          return (
            <button
              key={choice}
              type="submit"
              name="value"
              value={choice}
              aria-pressed={choice === theme}
              className="menu-item"
              onClick={(event) => {
                setTheme(choice);
                closePopover(event);
              }}
            >
              <Icon name={ICONS[choice]} className="size-4 text-muted" />
              <span className="grow">{t(`theme.${choice}`)}</span>
              {choice === theme && <Icon name="check" className="size-4 text-accent-ink" />}
            </button>
          );
        })}
      </fetcher.Form>
    </Menu>
  );
}
