import { Dialog } from "@base-ui/react/dialog";
import { Fragment } from "react";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

export function Key({ children }: { children: string }) {
  return (
    <kbd dir="ltr" className="search-key">
      {children}
    </kbd>
  );
}

export type KeysProps = {
  keys: string[];
  /** True when one of several keys is pressed; else they are pressed at the same time. */
  isEither?: boolean;
};

/** The keys of a shortcut, and between them how they are pressed. */
export function Keys({ keys, isEither = false }: KeysProps) {
  const { t } = useTranslation("search");
  return (
    <span dir="ltr" className="search-keys">
      {keys.map((key, index) => (
        <Fragment key={key}>
          {index > 0 && <span aria-hidden={isEither}>{isEither ? "/" : "+"}</span>}
          {index > 0 && isEither && <span className="sr-only">{t("shortcuts.or")}</span>}
          <Key>{key}</Key>
        </Fragment>
      ))}
    </span>
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
