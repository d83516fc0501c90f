import { useState } from "react";
import { buttonClass } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { useTranslation } from "./translation.tsx";

/** Button that copies a text to the clipboard and says so. Browsers without JavaScript do not show it. */
export function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation();
  const [isCopied, setIsCopied] = useState(false);
  return (
    <button
      type="button"
      className={buttonClass("secondary", "[@media(scripting:none)]:hidden", true)}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setIsCopied(true);
      }}
      onBlur={() => setIsCopied(false)}
    >
      <Icon name={isCopied ? "check" : "copy"} className="size-4" />
      <span aria-live="polite">{t(isCopied ? "actions.copied" : "actions.copy")}</span>
    </button>
  );
}
