import type { ReactNode } from "react";

const KINDS = {
  info: "border-line bg-sunken text-ink",
  success: "border-success-line bg-success-fill text-ink",
  warning: "border-warning-line bg-warning-fill text-ink",
  error: "border-danger-line bg-danger-fill text-ink",
} as const;

type NoticeProps = {
  kind: keyof typeof KINDS;
  children: ReactNode;
  id?: string;
  /** True for a state that lasts, which a screen reader does not announce as an error. */
  isState?: boolean;
  /** Button at the end of the notice. */
  action?: ReactNode;
};

/** A message about the whole screen, in the page's flow. */
export function Notice({ kind, children, id, isState = false, action }: NoticeProps) {
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md border px-4 py-3 text-sm ${KINDS[kind]}`}
    >
      <div
        id={id}
        role={kind === "error" && !isState ? "alert" : "status"}
        className="grid min-w-0 grow basis-60 gap-1"
      >
        {children}
      </div>
      {action}
    </div>
  );
}
