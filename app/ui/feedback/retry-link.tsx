import { useEffect, useRef, useState } from "react";
import { useLocation, useRevalidator } from "react-router";
import { buttonClass } from "../forms/button.tsx";
import { Icon } from "../text/icon.tsx";

/** Long enough for the user to notice the try (specification, section 9). */
const RETRY_DELAY_MS = 600;

/**
 * A link to the current page, so it works without JavaScript; with it, only the data is loaded again. Presses itself
 * when the browser is back online.
 */
export function RetryLink({ label, isSmall }: { label: string; isSmall?: boolean }) {
  const { pathname, search } = useLocation();
  const { revalidate, state } = useRevalidator();
  const [isWaiting, setIsWaiting] = useState(false);
  const isBusy = isWaiting || state === "loading";
  const link = useRef<HTMLAnchorElement>(null);

  // Outside React: the network.
  useEffect(() => {
    const press = () => link.current?.click();
    addEventListener("online", press);
    return () => removeEventListener("online", press);
  }, []);

  return (
    <a
      ref={link}
      href={pathname + search}
      aria-busy={isBusy || undefined}
      className={buttonClass("primary", "", isSmall)}
      onClick={(event) => {
        event.preventDefault();
        if (isBusy) return;
        setIsWaiting(true);
        setTimeout(async () => {
          await revalidate();
          setIsWaiting(false);
        }, RETRY_DELAY_MS);
      }}
    >
      <Icon name="rotate-cw" className={`size-4 ${isBusy ? "animate-spin" : ""}`} />
      {label}
    </a>
  );
}
