import { useState } from "react";
import { Icon } from "./icon.tsx";
import { useTranslation } from "./translation.tsx";

/** Icon that copies a text to the clipboard and says so. It needs JavaScript, and is not shown without it. */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation();
  const [isCopied, setIsCopied] = useState(false);
  return (
    <button
      type="button"
      title={label}
      aria-label={isCopied ? t("actions.copied") : label}
      className="-my-2 -me-2 inline-flex size-control shrink-0 items-center justify-center rounded-md text-muted transition-colors duration-150 hover:bg-fill hover:text-ink [@media(scripting:none)]:hidden"
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setIsCopied(true);
      }}
      onBlur={() => setIsCopied(false)}
    >
      <Icon name={isCopied ? "check" : "copy"} className="size-4" />
      <span role="status" className="sr-only">
        {isCopied && t("actions.copied")}
      </span>
    </button>
  );
}
