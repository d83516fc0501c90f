import { CopyIcon } from "../../ui/forms/copy-button.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

/** A command for the operator's terminal, with a button that copies it. */
export function Command({ children }: { children: string }) {
  const { t } = useTranslation("system");
  return (
    <span
      dir="ltr"
      className="flex w-full items-center justify-between gap-2 rounded-md border border-line bg-sunken px-3 py-2 text-ink"
    >
      <code translate="no" className="min-w-0 font-mono text-xs wrap-anywhere">
        {children}
      </code>
      <CopyIcon text={children} label={t("copyCommand")} />
    </span>
  );
}
