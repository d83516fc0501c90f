import { type FormEvent, type RefObject, useEffect, useState } from "react";
import { data, isRouteErrorResponse, useFetcher, useLocation } from "react-router";
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

/** Sends the chosen rows chunk by chunk, and collects the results. */
export function useBulkRun(
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
    // The list is loaded again once, after the last chunk, unless that fails.
    void fetcher.submit(body, {
      method: "post",
      action: here,
      defaultShouldRevalidate: sent === next.ids.length ? undefined : false,
    });
  }

  function start(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    // A proof of identity is asked first; the form takes the chosen rows there.
    if (submitter instanceof HTMLButtonElement && submitter.formMethod === "get") return;
    event.preventDefault();
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

export function boxesIn(list: RefObject<HTMLElement | null>): HTMLInputElement[] {
  return [...(list.current?.querySelectorAll<HTMLInputElement>('input[name="id"]') ?? [])];
}

type Sending = { serverAction: () => Promise<BulkAnswer> };

/**
 * The `clientAction` of a route with a list: runs its action. A network or server error becomes an answer: finished
 * rows are reported, and the others stay chosen.
 */
export async function attemptBulk({ serverAction }: Sending) {
  try {
    return await serverAction();
  } catch (error) {
    const isAnswer = error instanceof Response || isRouteErrorResponse(error);
    if (isAnswer && error.status < 500) throw error;
    const answer: BulkAnswer = { error: "common:selection.broken" };
    return data(answer, { status: 503 });
  }
}
