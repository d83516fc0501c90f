import { Dialog } from "@base-ui/react/dialog";
import { Icon } from "../../ui/icon.tsx";
import { useTranslation } from "../../ui/translation.tsx";

/** A key of the keyboard. */
export function Key({ children }: { children: string }) {
  return (
    <kbd dir="ltr" className="search-key">
      {children}
    </kbd>
  );
}

export function CloseButton() {
  const { t } = useTranslation();
  return (
    <Dialog.Close
      aria-label={t("actions.close")}
      className="inline-flex min-h-11 min-w-11 shrink-0 items-center justify-center rounded-md text-muted transition-colors duration-150 hover:bg-fill hover:text-ink"
    >
      <Icon name="x" className="size-5" />
    </Dialog.Close>
  );
}
