import { data, type RouterContextProvider } from "react-router";
import { failedListState } from "../http/list-state.ts";
import { requestContext } from "../http/request-context.ts";
import { describeError, log } from "../log.ts";

/**
 * A list's data, with the moment of the answer. When its query fails the screen keeps its place and its search, has
 * `otherwise` for the rest, and offers Retry where the rows would stand; the status says 500 all the same.
 */
export async function answerList<L extends object, F extends object>(
  context: Readonly<RouterContextProvider>,
  url: URL,
  { otherwise, load }: { otherwise: F; load: (now: Date) => Promise<L> },
) {
  const request = context.get(requestContext);
  const now = request.now();
  try {
    return data({ ...(await load(now)), now });
  } catch (error) {
    log("error", "request.failed", {
      request: request.id,
      path: url.pathname,
      ...describeError(error),
    });
    return data({ rows: [], ...otherwise, state: failedListState(url), now }, { status: 500 });
  }
}
