import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useCssId } from "../../ui/layout/use-css-id.ts";
import type { BulkAnswer } from "./bulk-report.ts";
import { boxesIn, useBulkRun } from "./bulk-run.ts";
import { type KeptChoice, NO_CHOICE, readChoice, withChoice } from "./kept-choice.ts";

/**
 * The chosen rows of a list, and the bulk action on them. The checkboxes hold the state: so it
 * works before hydration and without JavaScript, and a removed row is no longer chosen. `choosable`
 * is the number of rows that have a checkbox.
 */
export function useSelection(
  rows: readonly unknown[],
  choosable: number,
  answer: BulkAnswer | undefined,
) {
  const form = useCssId();
  const list = useRef<HTMLDivElement>(null);
  const lastBox = useRef<HTMLInputElement>(undefined);
  const [chosen, setChosen] = useState<string[]>([]);
  const [total, setTotal] = useState(choosable);
  const kept = useKeptChoice(answer);
  const { isRunning, start, outcome, dismiss } = useBulkRun(list, answer, recount);

  // Outside React: the checkboxes, which change with the rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts whenever there are other rows
  useEffect(recount, [rows]);

  function recount() {
    const boxes = boxesIn(list);
    const values = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    // The same choice does not draw all rows again, as right after hydration.
    setChosen((known) => (isSameChoice(known, values) ? known : values));
    setTotal(boxes.length);
  }

  function choose(isChosen: boolean) {
    for (const box of boxesIn(list)) box.checked = isChosen;
    recount();
  }

  function chooseOnly(id: string) {
    for (const box of boxesIn(list)) box.checked = box.value === id;
    recount();
  }

  /** A click with Shift also changes all boxes between the previous click and this one. */
  function follow({ target, shiftKey }: MouseEvent) {
    if (!(target instanceof HTMLInputElement) || target.name !== "id") return;
    const boxes = boxesIn(list);
    const [from, to] = [boxes.indexOf(lastBox.current ?? target), boxes.indexOf(target)];
    if (shiftKey && from >= 0) {
      for (const box of boxes.slice(Math.min(from, to), Math.max(from, to) + 1)) {
        box.checked = target.checked;
      }
    }
    lastBox.current = target;
    recount();
  }

  const count = chosen.length;
  const actions = { choose, chooseOnly, follow, start, dismiss };
  return { form, list, kept, chosen, count, total, isRunning, outcome, ...actions };
}

function isSameChoice(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((id, index) => id === others[index]);
}

/**
 * Returns the choice that the URL keeps from before a proof of identity; an answered one counts no
 * more. With JavaScript the URL loses it, so that a saved view or a link back does not choose these
 * rows again.
 */
function useKeptChoice(answer: BulkAnswer | undefined): KeptChoice {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [kept] = useState(() => (answer ? NO_CHOICE : readChoice(search)));
  const plain = withChoice(pathname + search, NO_CHOICE);

  // Outside React: the address bar.
  useEffect(() => {
    if (kept.ids.length === 0 || plain === pathname + search) return;
    void navigate(plain, { replace: true, preventScrollReset: true });
  }, [kept, plain, pathname, search, navigate]);

  return kept;
}

export type Selection = ReturnType<typeof useSelection>;
