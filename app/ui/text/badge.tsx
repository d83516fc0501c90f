import "./badge.css";
import type { ReactNode } from "react";

/** The usual state, which stays quiet so that the others are seen. */
export function QuietState({ children }: { children: ReactNode }) {
  return <span className="quiet-state">{children}</span>;
}

/** A state in one word. `tone` holds the classes of its colours. */
export function Badge({ tone, children }: { tone: string; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
