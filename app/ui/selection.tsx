import {
  type FormEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Form, isRouteErrorResponse, useFetcher, useLocation } from "react-router";
import type { BulkAnswer, BulkReport } from "./bulk.ts";
import { buttonClass } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { useTranslation } from "./translation.tsx";
import { useIsHydrated } from "./use-is-hydrated.ts";

/** How many rows the browser sends at a time: few enough to see it go on, many enough not to wait on each. */
const CHUNK = 40;

/** A change on its way through the chosen rows. */
type Run = {
  /** What goes with each chunk: the intent and its fields. */
  fields: [name: string, value: string][];
  ids: string[];
  sent: number;
  report: BulkReport | undefined;
  /** The answer to the chunk before, which still stands when the next one leaves. */
  seen: BulkAnswer | undefined;
};

/** What became of a selection, as a list shows it. */
type Outcome = { report?: BulkReport; error?: string };

/**
 * The rows of a list that are chosen, and what is done with them. The boxes themselves know what is chosen: so it is
 * also known before the page comes to life and without JavaScript, and a row that goes takes its choice along.
 */
export function useSelection(rows: readonly unknown[], answer: BulkAnswer | undefined) {
  const form = useId().replace(/[^\w-]/g, "");
  const list = useRef<HTMLDivElement>(null);
  const lastBox = useRef<HTMLInputElement>(undefined);
  const [count, setCount] = useState(0);
  const [total, setTotal] = useState(0);
  const { run, start, outcome, dismiss } = useRun(list, answer, recount);

  // Outside React: the boxes, which come and go with the rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts whenever there are other rows
  useEffect(recount, [rows]);

  function recount() {
    const boxes = boxesIn(list);
    setCount(boxes.filter(({ checked }) => checked).length);
    setTotal(boxes.length);
  }

  function choose(isChosen: boolean) {
    for (const box of boxesIn(list)) box.checked = isChosen;
    recount();
  }

  /** A click with Shift takes everything between the box before and this one along. */
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

  return { form, list, count, total, choose, follow, run, start, outcome, dismiss };
}

export type Selection = ReturnType<typeof useSelection>;

/** Sends the chosen rows, a chunk after the other, and gathers what became of each. */
function useRun(
  list: RefObject<HTMLElement | null>,
  answer: BulkAnswer | undefined,
  onUnchosen: () => void,
) {
  const fetcher = useFetcher<BulkAnswer>();
  const { pathname, search } = useLocation();
  const [run, setRun] = useState<Run>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [dismissed, setDismissed] = useState<BulkAnswer>();
  const here = pathname + search;

  function send(next: Run) {
    const body = new FormData();
    for (const [name, value] of next.fields) body.append(name, value);
    for (const id of next.ids.slice(next.sent, next.sent + CHUNK)) body.append("id", id);
    const sent = Math.min(next.sent + CHUNK, next.ids.length);
    setRun({ ...next, sent });
    // The list is loaded again once, after the last chunk.
    void fetcher.submit(body, {
      method: "post",
      action: here,
      defaultShouldRevalidate: sent === next.ids.length,
    });
  }

  function start(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (!(submitter instanceof HTMLButtonElement) || submitter.name !== "intent") return;
    const data = new FormData(event.currentTarget, submitter);
    const ids = data.getAll("id").map(String);
    data.delete("id");
    submitter.closest<HTMLElement>("[popover]")?.hidePopover();
    if (run || ids.length === 0) return;
    const fields = [...data].map(([name, value]): [string, string] => [name, String(value)]);
    setOutcome(undefined);
    setDismissed(answer);
    send({ fields, ids, sent: 0, report: undefined, seen: fetcher.data });
  }

  // Outside React: the requests, one after the other.
  // biome-ignore lint/correctness/useExhaustiveDependencies: goes on with each answer, and with nothing else
  useEffect(() => {
    const { data, state } = fetcher;
    if (!run || state !== "idle" || !data || data === run.seen) return;
    const items = [...(run.report?.items ?? []), ...("report" in data ? data.report.items : [])];
    const report = "report" in data ? { ...data.report, items } : run.report;
    const isBroken = "error" in data;
    if (!isBroken && run.sent < run.ids.length) {
      send({ ...run, report, seen: data });
      return;
    }
    const settled = new Set(items.map(({ id }) => id));
    for (const box of boxesIn(list))
      box.checked = isBroken && !settled.has(box.value) && box.checked;
    onUnchosen();
    setRun(undefined);
    setOutcome({ report, error: isBroken ? data.error : undefined });
  }, [fetcher.data, fetcher.state]);

  const posted: Outcome | undefined = answer !== dismissed ? answer : undefined;
  return {
    run: run && { done: run.report?.items.length ?? 0, total: run.ids.length },
    start,
    outcome: outcome ?? posted,
    dismiss() {
      setOutcome(undefined);
      setDismissed(answer);
    },
  };
}

function boxesIn(list: RefObject<HTMLElement | null>): HTMLInputElement[] {
  return [...(list.current?.querySelectorAll<HTMLInputElement>('input[name="id"]') ?? [])];
}

/**
 * Does a route's action in the browser, for its `clientAction`. A network that is away and a server that fails become
 * an answer: what was done before is reported, and what was not stays chosen.
 */
export async function attemptBulk(serverAction: () => Promise<BulkAnswer>): Promise<BulkAnswer> {
  try {
    return await serverAction();
  } catch (error) {
    const isAnswer = error instanceof Response || isRouteErrorResponse(error);
    if (isAnswer && error.status < 500) throw error;
    return { error: "common:selection.broken" };
  }
}

/** Chooses one row. */
export function RowChoice({ id, name, form }: { id: string; name: string; form: string }) {
  const { t } = useTranslation();
  return (
    <label className="list-box">
      <input
        type="checkbox"
        name="id"
        value={id}
        form={form}
        // A reload starts with nothing chosen.
        autoComplete="off"
        aria-label={t("selection.choose", { name })}
      />
    </label>
  );
}

/** Chooses all rows that are shown, or none. Only with JavaScript: there is no form for it. */
export function AllChoice({ selection, children }: { selection: Selection; children?: ReactNode }) {
  const { t } = useTranslation();
  const { count, total, choose } = selection;
  const isAll = count > 0 && count === total;
  return (
    <label className="inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center gap-2 text-sm [@media(scripting:none)]:hidden">
      <input
        type="checkbox"
        aria-label={t("selection.all")}
        checked={isAll}
        ref={(box) => {
          // Outside React: no attribute says this.
          if (box) box.indeterminate = count > 0 && !isAll;
        }}
        onChange={() => choose(!isAll)}
        className="size-5 shrink-0 accent-accent"
      />
      {children}
    </label>
  );
}

type SelectionBarProps = { selection: Selection; actions: (count: number) => ReactNode };

/** How many rows are chosen and what can be done with them: shown, by styles alone, while there are any. */
export function SelectionBar({ selection, actions }: SelectionBarProps) {
  const { t } = useTranslation();
  const { form, count, run, start, choose } = selection;
  const isHydrated = useIsHydrated();
  const chosen = count > 0 ? t("selection.count", { count }) : "";
  return (
    <>
      <p role="status" className="sr-only">
        {run ? t("selection.progress", run) : chosen}
      </p>
      <Form
        id={form}
        method="post"
        onSubmit={start}
        aria-label={t("selection.label")}
        className={`selection-bar sticky bottom-3 z-10 gap-x-4 gap-y-2 rounded-md border border-line-strong bg-panel p-3 shadow-high ${run ? "is-running" : ""}`}
      >
        {/* Enter in a box presses the form's first button, past every question: this one, which leads nowhere. */}
        <button type="submit" formMethod="dialog" hidden />
        {run ? (
          <div className="flex min-h-11 grow items-center gap-4 text-sm">
            <span className="whitespace-nowrap">{t("selection.progress", run)}</span>
            <progress
              aria-label={t("loading")}
              value={run.done}
              max={run.total}
              className="h-2 min-w-0 grow accent-accent"
            />
          </div>
        ) : (
          <>
            <div className="flex min-h-11 items-center justify-between gap-4">
              <span className="text-sm font-medium">{isHydrated && chosen}</span>
              <button
                type="reset"
                onClick={() => choose(false)}
                className={buttonClass("quiet", "order-last shrink-0")}
              >
                <Icon name="x" className="size-4" />
                {t("selection.clear")}
              </button>
            </div>
            <div className="flex flex-wrap gap-2">{actions(count)}</div>
          </>
        )}
      </Form>
    </>
  );
}
