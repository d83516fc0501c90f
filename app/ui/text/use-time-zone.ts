import { useRouteLoaderData } from "react-router";

/**
 * Returns the time zone of local times. The server chooses it for the browser as well, so that both write the same. It
 * is UTC on an error page, where no loader has run.
 */
export function useTimeZone(): string {
  return useRouteLoaderData<{ timeZone?: string }>("root")?.timeZone ?? "UTC";
}
