import type { ReactNode } from "react";
import { StateDisc } from "../text/state-disc.tsx";

type EmptyStateProps = {
  /** `alert` when something failed; a warning then stands in place of the gate. */
  role?: "alert" | "status";
  title: ReactNode;
  /** One sentence: why there is nothing, or what to do. */
  text?: ReactNode;
  /** A link or a small button. */
  children?: ReactNode;
};

/** Shown where a screen or a list has nothing to show: a picture, what is missing, and a way on. */
export function EmptyState({ role, title, text, children }: EmptyStateProps) {
  return (
    <div className="grid content-center justify-items-center gap-4 rounded-md border border-line bg-panel px-6 py-10 text-center">
      {role === "alert" ? <StateDisc name="triangle-alert" tone="danger" /> : <GateDrawing />}
      <div role={role} className="grid max-w-md gap-1 *:text-balance">
        <p className="font-medium">{title}</p>
        {text && <p className="text-sm text-muted">{text}</p>}
      </div>
      {children}
    </div>
  );
}

function GateDrawing() {
  return (
    <svg
      viewBox="0 0 96 96"
      aria-hidden="true"
      className="size-24 fill-none stroke-line-strong"
      strokeWidth="1.5"
      strokeLinecap="round"
    >
      <path d="M8 88h80M20 88V44a28 28 0 0 1 56 0v44" />
      <path d="M30 88V46a18 18 0 0 1 36 0v42" className="stroke-accent-line" />
      <path d="M39 88V40m9 48V36m9 52V40M31 60h34M31 74h34" className="stroke-accent-line" />
    </svg>
  );
}
