import { type ComponentType, useEffect, useEffectEvent, useState } from "react";
import type { HeaderProps } from "../../feature.ui.ts";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { useIsHydrated } from "../../ui/layout/use-is-hydrated.ts";
import { OPEN_POPOVER } from "../../ui/overlays/close-popover.ts";
import { Icon } from "../../ui/text/icon.tsx";
import { loadTranslations, useTranslation } from "../../ui/text/translation.tsx";
import type { SearchDialogProps } from "./search-dialog.tsx";
import { isAppleKeyboard, shortcutOf } from "./shortcuts.ts";

const LIST_SEARCH = "main [role=search] input[type=search]";

/**
 * Button and keys that open the command palette and the list of shortcuts. Both load on first use. Without JavaScript
 * the button is hidden.
 */
export function SearchLauncher(props: HeaderProps) {
  const isHydrated = useIsHydrated();
  const isApple = isHydrated && isAppleKeyboard();
  const dialog = useSearchDialog();
  const { Dialog, loading, view, isOpen, open, close } = dialog;
  useSearchKeys(dialog, isApple);

  return (
    <>
      <SearchButton
        area={props.area}
        // The keys do nothing before hydration.
        keys={isHydrated ? (isApple ? "Meta+K" : "Control+K") : undefined}
        isApple={isApple}
        isBusy={loading === "busy"}
        onOpen={() => open("palette")}
      />
      {loading === "failed" && <LoadingFailed onRetry={() => open(view)} />}
      {Dialog && (
        <Dialog
          {...props}
          isApple={isApple}
          isOpen={isOpen}
          view={view}
          onView={open}
          onClose={close}
        />
      )}
    </>
  );
}

type View = SearchDialogProps["view"];

/** Keeps which view of the dialog is open. Loads the dialog when it is first opened. */
function useSearchDialog() {
  const { i18n } = useTranslation();
  const [Dialog, setDialog] = useState<ComponentType<SearchDialogProps>>();
  const [loading, setLoading] = useState<"idle" | "busy" | "failed">("idle");
  const [view, setView] = useState<View>("palette");
  const [isOpen, setIsOpen] = useState(false);

  async function open(wanted: View) {
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

  return { Dialog, loading, view, isOpen, open, close: () => setIsOpen(false) };
}

type SearchDialogState = ReturnType<typeof useSearchDialog>;

/** Opens and closes the dialog by keys, and puts the focus into a list's search field. */
function useSearchKeys({ isOpen, view, open, close }: SearchDialogState, isApple: boolean) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const shortcut = event.defaultPrevented ? undefined : shortcutOf(event, isApple);
    if (shortcut === "palette") {
      event.preventDefault();
      if (isOpen && view === "palette") close();
      else {
        closePopovers();
        void open("palette");
      }
      return;
    }
    if (!shortcut || isOpen || isTyping(event.target)) return;
    // An open popover or dialog keeps the keyboard.
    if (document.querySelector(`${OPEN_POPOVER}, dialog[open]`)) return;
    const search = document.querySelector<HTMLInputElement>(LIST_SEARCH);
    if (shortcut === "search" && !search) return;
    event.preventDefault();
    if (shortcut === "shortcuts") void open("shortcuts");
    else search?.select();
  });

  const onPopState = useEffectEvent(() => close());

  // Outside React: the keyboard, whatever has the focus, and the browser's Back button, which closes the dialog too.
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    addEventListener("popstate", onPopState);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      removeEventListener("popstate", onPopState);
    };
  }, []);
}

type SearchButtonProps = Pick<HeaderProps, "area"> & {
  /** The shortcut, as `aria-keyshortcuts` names it. */
  keys: string | undefined;
  isApple: boolean;
  isBusy: boolean;
  onOpen: () => void;
};

/** In the app the button leaves room for the name of the organization. */
const BUTTON_WIDTHS = { app: "xl:min-w-56", manager: "xl:min-w-72" };

function SearchButton({ area, keys, isApple, isBusy, onOpen }: SearchButtonProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-label={t("palette.open")}
      aria-keyshortcuts={keys}
      aria-haspopup="dialog"
      aria-busy={isBusy || undefined}
      className={`inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-md border border-transparent px-3 text-sm text-muted transition-colors duration-150 hover:bg-fill hover:text-ink whitespace-nowrap ${BUTTON_WIDTHS[area]} xl:justify-start xl:border-line xl:bg-sunken [@media(scripting:none)]:hidden`}
      onClick={({ currentTarget }) => {
        // Safari does not focus a clicked button, but the focus must return here.
        currentTarget.focus();
        onOpen();
      }}
    >
      {isBusy ? <Spinner /> : <Icon name="search" className="size-5 shrink-0" />}
      <span className="grow text-start max-xl:hidden">{t("palette.open")}</span>
      <span
        aria-hidden="true"
        dir="ltr"
        // Drawn by CSS: visible text in a button would have to be part of its accessible name.
        data-keys={isApple ? "⌘ K" : "Ctrl K"}
        className="rounded-md border border-line bg-panel px-2 text-xs before:content-[attr(data-keys)] max-xl:hidden"
      />
    </button>
  );
}

/** Shown when the dialog's code or texts could not be fetched. */
function LoadingFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div
      role="alert"
      className="fixed inset-x-0 bottom-20 z-50 mx-auto flex max-w-sm items-center justify-between gap-3 rounded-md border border-danger-line bg-panel px-4 py-2 text-sm text-ink shadow-high md:bottom-6"
    >
      {t("errors.failed")}
      <Button type="button" variant="secondary" onClick={onRetry}>
        {t("actions.retry")}
      </Button>
    </div>
  );
}

/** True when an element takes text, so that keys are no shortcuts there. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}

/** Closes menus and drawers, which are in the browser's top layer and would cover the dialog. */
function closePopovers() {
  for (const popover of document.querySelectorAll<HTMLElement>(OPEN_POPOVER)) {
    popover.hidePopover();
  }
}
