import { data, type RouterContextProvider } from "react-router";
import { requestContext } from "../http/request-context.ts";
import { failedListState, type ListState } from "../lists/query/list-state.ts";
import { findCurrentSession } from "../middleware/session.ts";
import { describeError, log } from "../runtime/log.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { type CheckedMessage, messageReference } from "../ui/text/message.tsx";

/** The `headers` function of a list's route: the waiting time after too many searches. */
export function listHeaders({ loaderHeaders }: { loaderHeaders: Headers }): HeadersInit {
  const retryAfter = loaderHeaders.get("Retry-After");
  return retryAfter ? { "Retry-After": retryAfter } : {};
}

/**
 * Returns a list's data and the time of the response. When its query fails, the screen keeps its URL and its search,
 * gets `otherwise` in place of the data, and shows "Try again" instead of rows; the status is 500. After too many short
 * searches it does the same with 429.
 */
export async function answerList<L extends { state: ListState }, F extends object>(
  context: Readonly<RouterContextProvider>,
  url: URL,
  {
    otherwise,
    load,
  }: { otherwise: F; load: (now: Date, timeZone: string | undefined) => Promise<L> },
) {
  const request = context.get(requestContext);
  const now = request.now();
  const failed = (failure?: CheckedMessage) => ({
    rows: [],
    ...otherwise,
    state: { ...failedListState(url), failure },
    now,
  });
  try {
    const { limitSearches } = context.get(servicesContext);
    const current = await findCurrentSession(context);
    const searchTerm = url.searchParams.get("searchTerm");
    const userId = current?.user.id ?? "";
    const permit = limitSearches({ userId, searchTerm, now });
    if (!permit.allowed) {
      const headers = { "Retry-After": String(permit.retryAfterSeconds) };
      const message = messageReference("common:list.tooManyShort", {
        count: permit.retryAfterSeconds,
      });
      return data(failed(message), { status: 429, headers });
    }
    const list = await load(now, request.timeZone);
    return data({ ...list, now });
  } catch (error) {
    log("error", "request.failed", {
      request: request.id,
      path: url.pathname,
      ...describeError(error),
    });
    return data(failed(), { status: 500 });
  }
}
