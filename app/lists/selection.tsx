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
import { buttonClass } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useTranslation } from "../ui/translation.tsx";
import { useIsHydrated } from "../ui/use-is-hydrated.ts";
import type { BulkAnswer, BulkReport } from "./bulk-report.ts";

/** Rows that the browser sends at a time: few enough to show progress, many enough to be fast. */
const CHUNK = 40;

/** A bulk action that is running. */
type Run = {
  /** Fields sent with each chunk: the intent and its options. */
  fields: [name: string, value: string][];
  ids: string[];
  sent: number;
  report: BulkReport | undefined;
  /** The previous chunk's answer, which is still present when the next chunk is sent. */
  seen: BulkAnswer | undefined;
};

/** Result of a bulk action, as the list shows it. */
type Outcome = { report?: BulkReport; error?: string };

/**
 * The chosen rows of a list, and the bulk action on them. The checkboxes hold the state: so it works before hydration
 * and without JavaScript, and a removed row is no longer chosen.
 */
export function useSelection(rows: readonly unknown[], answer: BulkAnswer | undefined) {
  const form = useId().replace(/[^\w-]/g, "");
  const list = useRef<HTMLDivElement>(null);
  const lastBox = useRef<HTMLInputElement>(undefined);
  const [count, setCount] = useState(0);
  const [total, setTotal] = useState(0);
  const { run, start, outcome, dismiss } = useRun(list, answer, recount);

  // Outside React: the checkboxes, which change with the rows.
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

  return { form, list, count, total, choose, follow, run, start, outcome, dismiss };
}

export type Selection = ReturnType<typeof useSelection>;

/** Sends the chosen rows chunk by chunk, and collects the results. */
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
 * Runs a route's action in the browser, for its `clientAction`. A network or server error becomes an answer: finished
 * rows are reported, and the others stay chosen.
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

/** Checkbox of one row. */
export function RowChoice({ id, name, form }: { id: string; name: string; form: string }) {
  const { t } = useTranslation();
  return (
    <label className="list-box">
      <input
        type="checkbox"
        name="id"
        value={id}
        form={form}
        // A reload starts with no row chosen.
        autoComplete="off"
        aria-label={t("selection.choose", { name })}
      />
    </label>
  );
}

/** Checkbox for all shown rows. Only with JavaScript. */
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
          // Outside React: `indeterminate` has no attribute.
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

/** Bar with the number of chosen rows and their actions. CSS alone shows it while any row is chosen. */
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
        {/* Enter in a checkbox would press the form's first button and skip its question. This button does nothing. */}
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
