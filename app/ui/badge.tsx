import "./badge.css";
import type { ReactNode } from "react";

/** The usual state, which stays quiet so that the others are seen. */
export function QuietState({ children }: { children: ReactNode }) {
  return (
    <span className="quiet-state inline-flex items-baseline gap-1.5 text-sm whitespace-nowrap text-muted">
      <span className="size-1.5 self-center rounded-full bg-success" />
      {children}
    </span>
  );
}

/** A state in one word. `tone` holds the classes of its colours. */
export function Badge({ tone, children }: { tone: string; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
