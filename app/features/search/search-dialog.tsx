import "./search.css";
import { Dialog } from "@base-ui/react/dialog";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import { useEffect, useRef } from "react";
import type { HeaderProps } from "../../feature.ui.ts";
import { DEFAULT_LANGUAGE, directionOf, isLanguage } from "../../i18n/languages.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { Palette } from "./palette.tsx";
import { ShortcutList } from "./shortcut-list.tsx";
import { type Command, useCommands } from "./use-commands.ts";
import { followVisualViewport } from "./visual-viewport.ts";

export type SearchDialogProps = HeaderProps & {
  isApple: boolean;
  isOpen: boolean;
  view: "palette" | "shortcuts";
  onView: (view: SearchDialogProps["view"]) => void;
  onClose: () => void;
};

/** Dialog of the command palette and the list of shortcuts: full screen on a phone, a panel on a desktop. */
export function SearchDialog({ isOpen, view, onView, onClose, ...props }: SearchDialogProps) {
  const { t, i18n } = useTranslation("search");
  const run = useCommands();
  const hasMoved = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const isPalette = view === "palette";
  const start = isPalette ? input : title;

  // Outside React: the focus, when the view changes while the dialog stays open.
  useEffect(() => {
    if (!isOpen) return;
    hasMoved.current = false;
    start.current?.focus();
  }, [isOpen, start]);

  function handleCommand(command: Command) {
    if (command.kind === "shortcuts") {
      onView("shortcuts");
      return;
    }
    hasMoved.current = command.kind === "go";
    onClose();
    run(command);
  }

  return (
    <DirectionProvider
      direction={directionOf(isLanguage(i18n.language) ? i18n.language : DEFAULT_LANGUAGE)}
    >
      <Dialog.Root
        open={isOpen}
        onOpenChange={(isOpening) => {
          if (!isOpening) onClose();
        }}
      >
        <Dialog.Portal>
          <Dialog.Backdrop className="search-backdrop" />
          <Dialog.Popup
            ref={followVisualViewport}
            initialFocus={start}
            finalFocus={() => !hasMoved.current || focusScreen()}
            data-view={view}
            className="search-popup"
          >
            <Dialog.Title
              ref={title}
              tabIndex={-1}
              className={isPalette ? "sr-only" : "px-6 pt-6 text-lg font-semibold outline-none"}
            >
              {isPalette ? t("title") : t("shortcuts.title")}
            </Dialog.Title>
            {isPalette ? (
              <Palette {...props} inputRef={input} onCommand={handleCommand} />
            ) : (
              <ShortcutList isApple={props.isApple} />
            )}
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </DirectionProvider>
  );
}

/** Moves the focus to the main content, as a skip link does; the dialog would choose another element. */
function focusScreen(): false {
  document.getElementById("main")?.focus({ preventScroll: true });
  return false;
}
