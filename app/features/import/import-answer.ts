import { data, isRouteErrorResponse } from "react-router";
import type { MessageReference } from "../../ui/text/message.tsx";
import type { OpenImport } from "./import-page.server.ts";

/** What the screen's action answers, unless it redirects. */
export type ImportAnswer =
  /** A step was made; with the import as it is now, where it makes users. */
  | { open: OpenImport | undefined }
  | { values: Record<string, string>; errors: Record<string, MessageReference[]> };

/** Error of a step that got no answer. It may have been made; it is sent again. */
export const NO_ANSWER = "import:noAnswer";

/** Runs the action in the browser, for its `clientAction`. A lost network and a fault of the server become an answer. */
export async function attemptStep<T>(serverAction: () => Promise<T>) {
  try {
    return await serverAction();
  } catch (error) {
    const isAnswer = error instanceof Response || isRouteErrorResponse(error);
    if (isAnswer && error.status < 500) throw error;
    const answer: ImportAnswer = { values: {}, errors: { "": [NO_ANSWER] } };
    return data(answer, { status: 503 });
  }
}
