import { useEffect, useRef } from "react";
import { RetryLink } from "./retry-link.tsx";
import { DATABASE_RETRY_SECONDS } from "./retry-seconds.ts";

/** A link to the current page that follows itself every few seconds, without JavaScript too. */
export function AutoRetryLink(props: { label: string; isSmall?: boolean }) {
  const frame = useRef<HTMLSpanElement>(null);

  // Outside React: a timer.
  useEffect(() => {
    const press = () => frame.current?.querySelector("a")?.click();
    const timer = setInterval(press, DATABASE_RETRY_SECONDS * 1_000);
    return () => clearInterval(timer);
  }, []);

  return (
    <span ref={frame} className="contents">
      <RetryLink {...props} />
      <noscript>
        <meta httpEquiv="refresh" content={String(DATABASE_RETRY_SECONDS)} />
      </noscript>
    </span>
  );
}
