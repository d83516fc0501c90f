import { data } from "react-router";

/** Dispatched on `window` with a form: true when it could not be sent, false when it is sent again. */
export const UNSENT = "gatehouse:unsent";

/**
 * Sends a form to the route's action, for its `clientAction`. When the network is lost on the way, the screen and the
 * typed text stay, and a notice tells that nothing was sent. Without this the router shows an error page instead.
 */
export async function sendForm<T>(serverAction: () => Promise<T>) {
  announce(false);
  try {
    return await serverAction();
  } catch (error) {
    // `fetch` rejects with a TypeError when it gets no answer.
    if (!(error instanceof TypeError)) throw error;
    announce(true);
    // After an error status the router loads nothing again, as for a refused form.
    return data(undefined, { status: 503 });
  }
}

function announce(isUnsent: boolean): void {
  dispatchEvent(new CustomEvent(UNSENT, { detail: isUnsent }));
}
