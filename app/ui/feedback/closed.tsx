import { createContext, type ReactNode, useContext } from "react";
import { Link, type LinkProps } from "react-router";

const ClosedContext = createContext(false);

/**
 * Disables every control inside while `isClosed`. The browser disables buttons and fields; `ClosableLink` links become
 * disabled buttons. The caller shows the reason above it.
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

function useIsClosed(): boolean {
  return useContext(ClosedContext);
}

/** A link that looks like a button, and is disabled inside a closed part. */
export function ClosableLink({ className, children, ...link }: LinkProps) {
  if (useIsClosed()) {
    return (
      <button type="button" disabled aria-label={link["aria-label"]} className={className}>
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
