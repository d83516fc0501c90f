import type { ReactNode } from "react";

type NoticeLineProps = {
  isError?: boolean;
  icon?: ReactNode;
  /** Buttons after the text. They go under it where the text would need a second line. */
  actions?: ReactNode;
  children: ReactNode;
};

/** One line over the foot of the page, about the browser: its network or its version of the product. */
export function NoticeLine({ isError, icon, actions, children }: NoticeLineProps) {
  const look = isError ? "border-danger-line bg-danger-fill" : "border-line bg-panel";
  return (
    <div
      className={`pointer-events-auto flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border px-4 py-2 text-sm text-ink shadow-high ${look}`}
    >
      {/* It takes the room of the line, as long as the actions stand there as well. */}
      <p className="flex grow-99 items-center gap-3">
        {icon}
        {children}
      </p>
      {actions && (
        <div className={`flex grow items-center gap-3 ${icon ? "max-sm:ms-7" : ""}`}>{actions}</div>
      )}
    </div>
  );
}
