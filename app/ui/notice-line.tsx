import type { ReactNode } from "react";

type NoticeLineProps = { isError?: boolean; children: ReactNode };

/** One line over the foot of the page, about the browser: its network or its version of the product. */
export function NoticeLine({ isError, children }: NoticeLineProps) {
  const look = isError ? "border-danger-line bg-danger-fill" : "border-line bg-panel";
  return (
    <div
      className={`pointer-events-auto flex items-center gap-3 rounded-md border px-4 py-2 text-sm text-ink shadow-high ${look}`}
    >
      {children}
    </div>
  );
}
