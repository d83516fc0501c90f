import { createContext, type ReactNode, useContext } from "react";
import { Link, type LinkProps } from "react-router";

const ClosedContext = createContext(false);

/**
 * Disables every control inside while `isClosed`. Buttons and fields are disabled by the browser; links that are
 * `ClosableLink` become disabled buttons. Who closes a part says why above it.
 */
export function Closable({ isClosed, children }: { isClosed: boolean; children: ReactNode }) {
  if (!isClosed) return children;
  return (
    <ClosedContext value={true}>
      <fieldset disabled className="contents">
        {children}
      </fieldset>
    </ClosedContext>
  );
}

/** True inside a part that is closed. */
export function useIsClosed(): boolean {
  return useContext(ClosedContext);
}

/** A link with the look of a button, which cannot be followed inside a part that is closed. */
export function ClosableLink({ className, children, ...link }: LinkProps) {
  if (useIsClosed()) {
    return (
      <button type="button" disabled className={className}>
        {children}
      </button>
    );
  }
  return (
    <Link className={className} {...link}>
      {children}
    </Link>
  );
}
