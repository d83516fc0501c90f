const WAITING_STATES = ["waiting", "approved", "declined"] as const;

export type WaitingState = (typeof WAITING_STATES)[number];

/** Returns the state that a URL asks for; requests without a decision when it asks for none. */
export function readWaitingState(params: URLSearchParams): WaitingState {
  return WAITING_STATES.find((state) => state === params.get("state")) ?? "waiting";
}
