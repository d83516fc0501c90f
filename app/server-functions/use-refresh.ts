import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { getJson } from "../http/get-json.ts";

const REFRESH_MS = 2_000;

/**
 * Loads the screen's data again every two seconds while `isOn`, at most `most` times. Without a
 * network the screen stays as it is; the router would show its error page.
 */
export function useRefresh(isOn: boolean, most = Number.POSITIVE_INFINITY): void {
  const { revalidate } = useRevalidator();

  // Outside React: a timer.
  useEffect(() => {
    if (!isOn) return;
    let left = most;
    const timer = setInterval(async () => {
      left -= 1;
      if (left === 0) clearInterval(timer);
      if ((await getJson("/api/auth/get-session")) !== undefined) await revalidate();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isOn, most, revalidate]);
}
