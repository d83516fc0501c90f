import { Dialog } from "@base-ui/react/dialog";
import { Fragment } from "react";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

/** A key of the keyboard. */
export function Key({ children }: { children: string }) {
  return (
    <kbd dir="ltr" className="search-key">
      {children}
    </kbd>
  );
}

export type KeysProps = {
  keys: string[];
  /** How several keys are pressed: at the same time, either of them, or one after the other. */
  how?: "together" | "either" | "inOrder";
};

/** The keys of a shortcut, and between them how they are pressed. */
export function Keys({ keys, how = "together" }: KeysProps) {
  return (
    // A sequence runs in the direction in which it is read.
    <span dir={how === "together" ? "ltr" : undefined} className="search-keys">
      {keys.map((key, index) => (
        <Fragment key={key}>
          {index > 0 && <Between how={how} />}
          <Key>{key}</Key>
        </Fragment>
      ))}
    </span>
  );
}

function Between({ how }: Required<Pick<KeysProps, "how">>) {
  const { t } = useTranslation("search");
  if (how === "together") return <span>+</span>;
  if (how === "inOrder") return <span>{t("shortcuts.then")}</span>;
  return (
    <span>
      <span aria-hidden="true">/</span>
      <span className="sr-only">{t("shortcuts.or")}</span>
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
