import { useEffect, useState } from "react";
import { callServerFunction } from "../../server-functions/call.ts";

const DEBOUNCE_MS = 200;

type Records = NonNullable<Awaited<ReturnType<typeof search>>>;

/** `records` is undefined when there was no answer. */
type Answer = { term: string; records: Records | undefined };

const NOTHING: Records = {
  users: [],
  organizations: [],
  things: {},
  totals: {},
};

/**
 * Returns the users, organizations and things of features that match a term. While a search runs,
 * it returns the records of the last one, so the caller must filter them. Answers to older terms
 * are dropped.
 */
export function useFoundRecords(term: string) {
  const [answer, setAnswer] = useState<Answer>();
  const [attempt, setAttempt] = useState(0);

  // Outside React: the server, asked when typing pauses.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks the same again
  useEffect(() => {
    if (term === "") return;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const records = await search(term, abort.signal);
      if (!abort.signal.aborted) setAnswer({ term, records });
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [term, attempt]);

  return {
    status: statusOf(term, answer),
    records: (term !== "" && answer?.records) || NOTHING,
    retry() {
      setAnswer(undefined);
      setAttempt((count) => count + 1);
    },
  };
}

function statusOf(term: string, answer: Answer | undefined) {
  if (term === "") return "idle";
  if (answer?.term !== term) return "searching";
  return answer.records ? "found" : "failed";
}

function search(searchTerm: string, signal: AbortSignal) {
  return callServerFunction("record-search", { searchTerm }, signal);
}
