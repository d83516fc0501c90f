import type { ReactNode } from "react";

/**
 * A mail on the screens for developers. On a phone only a rule is above it, so that the mail has
 * the width of the screen.
 */
export function MailFrame({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <article
      id={id}
      className="grid scroll-mt-4 grid-cols-1 gap-4 border-t border-line pt-4 sm:rounded-md sm:border sm:bg-panel sm:p-4"
    >
      {children}
    </article>
  );
}
