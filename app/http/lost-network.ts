import { data, isRouteErrorResponse } from "react-router";
import { askForProof } from "./unproved.ts";

/** Dispatched on `window` with a form: why it may not be saved, or undefined when it is sent again. */
export const UNSENT = "gatehouse:unsent";

/** Dispatched on `window` with an action's answer or error. The draft of its form follows it. */
export const ANSWERED = "gatehouse:answered";

/** The network was lost on the way, or the database did not answer. */
export type Unsent = "network" | "database";

type Sending = { request?: Request; serverAction: () => Promise<unknown> };
type NoAnswer = ReturnType<typeof data<undefined>>;

/**
 * A route's `clientAction`: sends the form to its action. When the network is lost on the way, or
 * the database does not answer, the screen and the typed text stay, and a notice tells why. Without
 * this the router shows an error page instead. When the action needs a proof of identity, a dialog
 * over the form asks for it, and the form is sent again.
 */
export async function sendForm({ request, serverAction }: Sending): Promise<NoAnswer> {
  announceUnsent(undefined);
  const sent = request?.clone();
  try {
    const answer = await serverAction();
    announce(ANSWERED, answer);
    // The router adds the type of what the route's action answers.
    return answer as NoAnswer;
  } catch (error) {
    const kept = sent && (await askForProof(error, sent));
    // After an error status the router loads nothing again, as for a refused form. The type is as
    // above.
    if (kept) return data(kept, { status: 403 }) as unknown as NoAnswer;
    // A redirect is thrown.
    if (error instanceof Response) announce(ANSWERED, error);
    const isSilent = isRouteErrorResponse(error) && error.status === 503;
    // `fetch` rejects with a TypeError when it gets no answer.
    if (!isSilent && !(error instanceof TypeError)) throw error;
    announceUnsent(isSilent ? "database" : "network");
    return data(undefined, { status: 503 });
  }
}

export function announceUnsent(reason: Unsent | undefined): void {
  announce(UNSENT, reason);
}

function announce(event: string, detail: unknown): void {
  dispatchEvent(new CustomEvent(event, { detail }));
}
