import { useTranslation } from "../../ui/text/translation.tsx";
import type { Selection } from "./selection.ts";

type RowChoiceProps = { id: string; name: string; selection: Selection };

/** Checkbox of one row. */
export function RowChoice({ id, name, selection }: RowChoiceProps) {
  const { t } = useTranslation();
  return (
    <label className="list-box">
      <input
        type="checkbox"
        name="id"
        value={id}
        form={selection.form}
        defaultChecked={selection.kept.ids.includes(id)}
        // A reload starts with no row chosen. On the form it would come too late: Firefox reads it
        // before it reads the form, which is below the rows.
        autoComplete="off"
        aria-label={t("selection.choose", { name })}
      />
    </label>
  );
}

/** Checkbox for all shown rows, with its name where cards leave room for it. Only with JavaScript. */
export function AllChoice({ selection }: { selection: Selection }) {
  const { t } = useTranslation();
  const { count, total, choose } = selection;
  const isAll = count > 0 && count === total;
  return (
    <label className="list-all inline-flex min-h-control min-w-control cursor-pointer items-center justify-center gap-2 [@media(scripting:none)]:hidden">
      <input
        type="checkbox"
        aria-label={t("selection.all")}
        checked={isAll}
        ref={(box) => {
          // Outside React: `indeterminate` has no attribute.
          if (box) box.indeterminate = count > 0 && !isAll;
        }}
        onChange={() => choose(!isAll)}
        className="size-4 shrink-0 pointer-coarse:size-5"
      />
      <span className="list-narrow">{t("selection.all")}</span>
    </label>
  );
}
