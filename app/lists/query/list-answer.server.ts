import { data, type RouterContextProvider } from "react-router";
import { isUnavailable } from "../../db/bounded-d1.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { describeError, log } from "../../runtime/log.ts";
import type { Reader } from "./list.server.ts";
import { failedListState, type ListState } from "./list-state.ts";

/**
 * Returns a list's data and the time of the response. When its query fails, the screen keeps its
 * URL and its search, gets `otherwise` in place of the data, and shows "Try again" instead of rows;
 * the status is 500, or 503 when the database does not answer.
 */
export async function answerList<L extends { state: ListState }, F extends object>(
  context: Readonly<RouterContextProvider>,
  url: URL,
  { otherwise, load }: { otherwise: F; load: (reader: Reader) => Promise<L> },
) {
  const request = context.get(requestContext);
  const now = request.now();
  try {
    const list = await load({ now, timeZone: request.timeZone });
    return data({ ...list, now });
  } catch (error) {
    const isSilent = isUnavailable(error);
    log("error", isSilent ? "database.unavailable" : "request.failed", {
      request: request.id,
      path: url.pathname,
      ...describeError(error),
    });
    const state = failedListState(url, isSilent ? "silent" : "other");
    return data({ rows: [], ...otherwise, state, now }, { status: isSilent ? 503 : 500 });
  }
}
