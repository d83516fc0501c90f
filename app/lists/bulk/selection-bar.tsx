import type { ReactNode } from "react";
import { Form } from "react-router";
import { AskedIntent } from "../../ui/forms/asked-intent.tsx";
import { buttonClass } from "../../ui/forms/button.tsx";
import { useIsHydrated } from "../../ui/layout/use-is-hydrated.ts";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Selection } from "./selection.ts";

type SelectionBarProps = {
  selection: Selection;
  children: ReactNode;
};

/** Bar with the number of chosen rows and their actions. CSS alone shows it while any row is chosen. */
export function SelectionBar({ selection, children }: SelectionBarProps) {
  const { t } = useTranslation();
  const { form, kept, count, isRunning, start, choose } = selection;
  const isHydrated = useIsHydrated();
  const chosen = count > 0 ? t("selection.count", { count }) : "";
  return (
    <>
      <p role="status" className="sr-only">
        {isRunning ? t("selection.running") : chosen}
      </p>
      <Form
        id={form}
        method="post"
        onSubmit={start}
        aria-label={t("selection.label")}
        data-draft="off"
        className={`selection-bar sticky bottom-0 z-10 gap-x-4 rounded-t-md border border-line bg-panel px-3 py-1 shadow-high ${isRunning ? "is-running" : ""}`}
      >
        {/* Enter in a checkbox would press the form's first button and skip its question. This button does nothing. */}
        <button type="submit" formMethod="dialog" hidden />
        {isRunning ? (
          <p className="flex min-h-11 items-center text-sm">{t("selection.running")}</p>
        ) : (
          <>
            <div className="flex min-h-11 items-center justify-between gap-4">
              <span className="text-sm font-medium">{isHydrated && chosen}</span>
              <button
                type="reset"
                onClick={() => choose(false)}
                className={buttonClass("quiet", "selection-clear order-last shrink-0", true)}
              >
                <Icon name="x" className="size-4" />
                <span>{t("selection.clear")}</span>
              </button>
            </div>
            <div className="selection-actions flex flex-wrap gap-2">
              <AskedIntent value={kept.asked}>{children}</AskedIntent>
            </div>
          </>
        )}
      </Form>
    </>
  );
}
