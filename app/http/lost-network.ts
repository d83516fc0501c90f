import { data, isRouteErrorResponse } from "react-router";

/** Dispatched on `window` with a form: why it may not be saved, or undefined when it is sent again. */
export const UNSENT = "gatehouse:unsent";

/** The network was lost on the way, or the database did not answer. */
export type Unsent = "network" | "database";

type Sending = { serverAction: () => Promise<unknown> };
type NoAnswer = ReturnType<typeof data<undefined>>;

/**
 * A route's `clientAction`: sends the form to its action. When the network is lost on the way, or the database does not
 * answer, the screen and the typed text stay, and a notice tells why. Without this the router shows an error page
 * instead.
 */
export async function sendForm({ serverAction }: Sending): Promise<NoAnswer> {
  announce(undefined);
  try {
    // The router adds the type of what the route's action answers.
    return (await serverAction()) as NoAnswer;
  } catch (error) {
    const isSilent = isRouteErrorResponse(error) && error.status === 503;
    // `fetch` rejects with a TypeError when it gets no answer.
    if (!isSilent && !(error instanceof TypeError)) throw error;
    announce(isSilent ? "database" : "network");
    // After an error status the router loads nothing again, as for a refused form.
    return data(undefined, { status: 503 });
  }
}

function announce(reason: Unsent | undefined): void {
  dispatchEvent(new CustomEvent(UNSENT, { detail: reason }));
}
