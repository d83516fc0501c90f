import { useEffect } from "react";
import { rememberTimeZone } from "../../http/time-zone.ts";
import { useTimeZone } from "../../ui/text/use-time-zone.ts";

/** Keeps the browser's time zone for the server, which knows only where the IP address is. */
export function useTimeZoneMemory(): void {
  const written = useTimeZone();
  // Outside React: the cookie.
  useEffect(() => rememberTimeZone(written), [written]);
}
