import { type ComponentType, useEffect, useEffectEvent, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { OPEN_POPOVER } from "../../ui/close-popover.ts";
import { Icon } from "../../ui/icon.tsx";
import type { IconName } from "../../ui/icon-names.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { loadTranslations, useTranslation } from "../../ui/translation.tsx";
import { useIsHydrated } from "../../ui/use-is-hydrated.ts";
import type { PaletteRights } from "./rights.ts";
import type { SearchDialogProps } from "./search-dialog.tsx";
import { areSingleKeysOn, isAppleKeyboard, isTyping, shortcutOf } from "./shortcuts.ts";

export type SearchLauncherProps = {
  area: "app" | "manager";
  /** Screens of the area, as in its navigation. */
  screens: readonly { path: string; icon: IconName; label: string }[];
  /** The other area, for users who may open both. */
  otherArea: { path: string; label: string } | undefined;
  rights: PaletteRights;
  /** Path to return to after a change of language or theme. */
  here: string;
};

const LIST_SEARCH = "main [role=search] input[type=search]";

/**
 * Button and keys that open the command palette and the list of shortcuts. Both load on first use. Without JavaScript
 * the button is hidden.
 */
export function SearchLauncher(props: SearchLauncherProps) {
  const { t, i18n } = useTranslation();
  const isHydrated = useIsHydrated();
  const [Dialog, setDialog] = useState<ComponentType<SearchDialogProps>>();
  const [loading, setLoading] = useState<"idle" | "busy" | "failed">("idle");
  const [view, setView] = useState<SearchDialogProps["view"]>("palette");
  const [isOpen, setIsOpen] = useState(false);
  const isApple = isHydrated && isAppleKeyboard();

  async function open(wanted: SearchDialogProps["view"]) {
    setView(wanted);
    setIsOpen(true);
    if (import.meta.env.SSR || Dialog || loading === "busy") return;
    setLoading("busy");
    try {
      const [{ SearchDialog }] = await Promise.all([
        import("./search-dialog.tsx"),
        loadTranslations(i18n, "search"),
      ]);
      setDialog(() => SearchDialog);
      setLoading("idle");
    } catch {
      setLoading("failed");
      setIsOpen(false);
    }
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const shortcut = event.defaultPrevented ? undefined : shortcutOf(event, isApple);
    if (shortcut === "palette") {
      event.preventDefault();
      if (isOpen && view === "palette") setIsOpen(false);
      else {
        closePopovers();
        void open("palette");
      }
      return;
    }
    if (!shortcut || isOpen || isTyping(event.target) || !areSingleKeysOn()) return;
    // An open popover or dialog keeps the keyboard.
    if (document.querySelector(`${OPEN_POPOVER}, dialog[open]`)) return;
    const search = document.querySelector<HTMLInputElement>(LIST_SEARCH);
    if (shortcut === "search" && !search) return;
    event.preventDefault();
    if (shortcut === "shortcuts") void open("shortcuts");
    else search?.select();
  });

  // Outside React: the keyboard, whatever has the focus, and the browser's Back button, which closes the dialog too.
  useEffect(() => {
    const close = () => setIsOpen(false);
    document.addEventListener("keydown", onKeyDown);
    addEventListener("popstate", close);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      removeEventListener("popstate", close);
    };
  }, []);

  return (
    <>
      <button
        type="button"
        aria-label={t("palette.open")}
        // The keys do nothing before hydration.
        aria-keyshortcuts={isHydrated ? (isApple ? "Meta+K" : "Control+K") : undefined}
        aria-haspopup="dialog"
        aria-busy={loading === "busy" || undefined}
        className="inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-md border border-transparent px-3 text-sm text-muted transition-colors duration-150 hover:bg-fill hover:text-ink whitespace-nowrap lg:min-w-56 lg:justify-start lg:border-line lg:bg-sunken [@media(scripting:none)]:hidden"
        onClick={({ currentTarget }) => {
          // Safari does not focus a clicked button, but the focus must return here.
          currentTarget.focus();
          void open("palette");
        }}
      >
        {loading === "busy" ? <Spinner /> : <Icon name="search" className="size-5 shrink-0" />}
        <span className="grow text-start max-lg:hidden">{t("palette.open")}</span>
        <span
          aria-hidden="true"
          dir="ltr"
          // Drawn by CSS: visible text in a button would have to be part of its accessible name.
          data-keys={isApple ? "⌘ K" : "Ctrl K"}
          className="rounded-md border border-line bg-panel px-2 text-xs before:content-[attr(data-keys)] max-lg:hidden"
        />
      </button>
      {loading === "failed" && (
        <div
          role="alert"
          className="fixed inset-x-0 bottom-20 z-50 mx-auto flex max-w-sm items-center justify-between gap-3 rounded-md border border-danger-line bg-panel px-4 py-2 text-sm text-ink shadow-high md:bottom-6"
        >
          {t("errors.failed")}
          <Button type="button" variant="secondary" onClick={() => open(view)}>
            {t("actions.retry")}
          </Button>
        </div>
      )}
      {Dialog && (
        <Dialog
          {...props}
          isApple={isApple}
          isOpen={isOpen}
          view={view}
          onView={open}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

/** Closes menus and drawers, which are in the browser's top layer and would cover the dialog. */
function closePopovers() {
  for (const popover of document.querySelectorAll<HTMLElement>(OPEN_POPOVER)) {
    popover.hidePopover();
  }
}
