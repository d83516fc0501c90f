import type { ReactNode } from "react";
import { StateDisc } from "../text/state-disc.tsx";

type EmptyStateProps = {
  /** `alert` when something failed; a warning then stands in place of the quiet picture. */
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
      {role === "alert" ? (
        <StateDisc name="triangle-alert" tone="danger" />
      ) : (
        <StateDisc name="inbox" tone="quiet" />
      )}
      <div role={role} className="grid max-w-md gap-1 *:text-balance">
        <p className="font-medium">{title}</p>
        {text && <p className="text-sm text-muted">{text}</p>}
      </div>
      {children}
    </div>
  );
}
