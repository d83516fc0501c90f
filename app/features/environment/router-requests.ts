import { sendOrHold } from "./held-requests.ts";
import { forgetLoadedAhead, takeLoadedAhead } from "./loaded-ahead.ts";

/**
 * Stands between the router and the network: a screen that was loaded ahead is answered at once, and a request that fails
 * waits for the network. Returns a function that stops.
 */
export function interceptRouterRequests(): () => void {
  const send = window.fetch;
  window.fetch = async (input, init) => {
    const request = { url: urlOf(input), method: methodOf(input, init), signal: init?.signal };
    if (request.method !== "GET") forgetLoadedAhead();
    try {
      if (!request.signal || !isRouteData(request.url)) return await send(input, init);
      const ahead = request.method === "GET" ? await takeLoadedAhead(request.url) : undefined;
      return ahead ?? (await sendOrHold(() => send(input, init), request.signal));
    } finally {
      // What was loaded during a change may show what was before it.
      if (request.method !== "GET") forgetLoadedAhead();
    }
  };
  return () => {
    window.fetch = send;
  };
}

function urlOf(input: RequestInfo | URL): string {
  return new URL(input instanceof Request ? input.url : input, location.origin).href;
}

function methodOf(input: RequestInfo | URL, init: RequestInit | undefined): string {
  return init?.method ?? (input instanceof Request ? input.method : "GET");
}

function isRouteData(url: string): boolean {
  return new URL(url).pathname.endsWith(".data");
}
