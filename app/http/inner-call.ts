import { createContext } from "react-router";

/**
 * Answers another request of the same client within this one, as if it had been sent: with the
 * checks, limits and events of its route.
 * @public For features, of which there may be none.
 */
export const innerCallContext = createContext<(request: Request) => Promise<Response>>();
