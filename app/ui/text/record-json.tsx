import type { ReactNode } from "react";
import { CopyButton } from "../forms/copy-button.tsx";
import { Disclosure } from "../layout/disclosure.tsx";
import { useTranslation } from "./translation.tsx";

type RecordJsonProps = {
  record: object;
  /** What the record says, in the reader's words: elements of {@link Fact}. */
  facts: ReactNode;
  /** Links to the things in the record. */
  children?: ReactNode;
};

/** A record: its facts, and all of it as folded JSON with a copy button. */
export function RecordJson({ record, facts, children }: RecordJsonProps) {
  const { t } = useTranslation();
  const text = JSON.stringify(record, undefined, 2);
  return (
    <div className="grid gap-3 py-2">
      <dl className="grid grid-cols-[fit-content(45%)_minmax(0,1fr)] gap-x-6 gap-y-2 pt-1 text-sm *:col-span-2 *:grid-cols-subgrid *:items-baseline *:gap-x-6">
        {facts}
      </dl>
      <Disclosure title={t("actions.fullRecord")}>
        <pre
          dir="ltr"
          translate="no"
          className="rounded-md border border-line bg-panel p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
        >
          {text}
        </pre>
        <div className="pt-2">
          <CopyButton text={text} label={t("actions.copyRecord")} />
        </div>
      </Disclosure>
      <div className="flex flex-wrap gap-2 empty:hidden">{children}</div>
    </div>
  );
}
