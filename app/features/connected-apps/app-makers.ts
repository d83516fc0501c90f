/** Whose apps a list shows: all, those that managers or owners added, or those that registered themselves. */
const APP_MAKERS = ["all", "managers", "owners", "themselves"] as const;

export type AppMaker = (typeof APP_MAKERS)[number];

/** Returns whose apps a URL asks for; all where it asks for none. */
export function readMaker(params: URLSearchParams): AppMaker {
  return APP_MAKERS.find((maker) => maker === params.get("maker")) ?? "all";
}
