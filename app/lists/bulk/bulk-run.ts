import { type FormEvent, type RefObject, useEffect, useState } from "react";
import { data, isRouteErrorResponse, useFetcher, useLocation } from "react-router";
import { askForProof } from "../../http/unproved.ts";
import type { MessageReference } from "../../ui/text/message.tsx";
import type { BulkAnswer, BulkReport } from "./bulk-report.ts";

/** What became of the rows, or why nothing did. */
type Outcome = { report?: BulkReport; error?: MessageReference };

/**
 * Sends the chosen rows, and returns what became of them: of the last form that was sent, or of the
 * page's own answer.
 */
export function useBulkRun(
  list: RefObject<HTMLElement | null>,
  answer: BulkAnswer | undefined,
  onUnchosen: () => void,
) {
  const fetcher = useFetcher<BulkAnswer>();
  const { pathname, search } = useLocation();
  const [dismissed, setDismissed] = useState<BulkAnswer>();
  const isRunning = fetcher.state !== "idle";
  const latest: BulkAnswer | undefined = fetcher.data ?? answer;
  const outcome: Outcome | undefined = isRunning || latest === dismissed ? undefined : latest;

  function start(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    event.preventDefault();
    if (!(submitter instanceof HTMLButtonElement) || submitter.name !== "intent") return;
    const data = new FormData(event.currentTarget, submitter);
    submitter.closest<HTMLElement>("[popover]")?.hidePopover();
    if (isRunning || !data.has("id")) return;
    setDismissed(latest);
    void fetcher.submit(data, { method: "post", action: pathname + search });
  }

  // Outside React: the checkboxes. After an error the rows stay chosen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!fetcher.data || "error" in fetcher.data) return;
    for (const box of boxesIn(list)) box.checked = false;
    onUnchosen();
  }, [fetcher.data]);

  return {
    isRunning,
    start,
    outcome,
    dismiss: () => setDismissed(latest),
  };
}

export function boxesIn(list: RefObject<HTMLElement | null>): HTMLInputElement[] {
  return [...(list.current?.querySelectorAll<HTMLInputElement>('input[name="id"]') ?? [])];
}

type Sending = { request: Request; serverAction: () => Promise<BulkAnswer> };

/**
 * The `clientAction` of a route with a list: runs its action. A network or server error becomes an answer, and the rows
 * stay chosen, as while a proof of identity is asked for.
 */
export async function attemptBulk({ request, serverAction }: Sending) {
  const sent = request.clone();
  try {
    return await serverAction();
  } catch (error) {
    // No answer yet: the form is sent again.
    if (await askForProof(error, sent)) return data(undefined, { status: 403 });
    const isAnswer = error instanceof Response || isRouteErrorResponse(error);
    if (isAnswer && error.status < 500) throw error;
    const answer: BulkAnswer = { error: "common:selection.broken" };
    return data(answer, { status: 503 });
  }
}
