import "./badge.css";
import type { ReactNode } from "react";

/** A state in one word. `tone` holds the classes of its colours. */
export function Badge({ tone, children }: { tone: string; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
