import type { ReactNode } from "react";

/** A mail on the screens for developers. On a phone only a rule is above it, so that the mail has the width of the screen. */
export function MailFrame({ children }: { children: ReactNode }) {
  return (
    <article className="grid grid-cols-1 gap-4 border-t border-line pt-4 sm:rounded-md sm:border sm:bg-panel sm:p-4">
      {children}
    </article>
  );
}
