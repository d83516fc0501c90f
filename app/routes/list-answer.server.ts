import { data, type RouterContextProvider } from "react-router";
import { requestContext } from "../http/request-context.ts";
import { failedListState, type ListState } from "../lists/query/list-state.ts";
import { describeError, log } from "../runtime/log.ts";

/**
 * Returns a list's data and the time of the response. When its query fails, the screen keeps its URL and its search,
 * gets `otherwise` in place of the data, and shows "Try again" instead of rows; the status is 500.
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
  try {
    const list = await load(now, request.timeZone);
    return data({ ...list, now });
  } catch (error) {
    log("error", "request.failed", {
      request: request.id,
      path: url.pathname,
      ...describeError(error),
    });
    return data({ rows: [], ...otherwise, state: failedListState(url), now }, { status: 500 });
  }
}
