import { useState } from "react";
import { Icon } from "../text/icon.tsx";
import { useTranslation } from "../text/translation.tsx";
import { buttonClass } from "./button.tsx";

type CopyButtonProps = {
  text: string;
  label: string;
};

/** Button that copies a text to the clipboard and says so. Browsers without JavaScript do not show it. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const { t } = useTranslation();
  const { isCopied, ...button } = useCopy(text);
  return (
    <button
      type="button"
      className={buttonClass("secondary", "[@media(scripting:none)]:hidden", true)}
      {...button}
    >
      <Icon name={isCopied ? "check" : "copy"} className="size-4" />
      <span aria-live="polite">{isCopied ? t("actions.copied") : label}</span>
    </button>
  );
}

/** The same as an icon, for the end of a line of text, which it does not make higher. */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation();
  const { isCopied, ...button } = useCopy(text);
  return (
    <button
      type="button"
      title={label}
      aria-label={isCopied ? t("actions.copied") : label}
      className="-my-3 -me-2 icon-button [@media(scripting:none)]:hidden"
      {...button}
    >
      <Icon name={isCopied ? "check" : "copy"} className="size-4" />
      <span role="status" className="sr-only">
        {isCopied && t("actions.copied")}
      </span>
    </button>
  );
}

/** Copies on a click; `isCopied` until the button loses the focus. */
function useCopy(text: string) {
  const [isCopied, setIsCopied] = useState(false);
  return {
    isCopied,
    onClick: async () => {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    },
    onBlur: () => setIsCopied(false),
  };
}
