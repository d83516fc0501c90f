import type { ReactNode } from "react";

const KINDS = {
  info: "border-line bg-sunken text-ink",
  success: "border-success-line bg-success-fill text-ink",
  warning: "border-warning-line bg-warning-fill text-ink",
  error: "border-danger-line bg-danger-fill text-ink",
} as const;

const frameClass = "rounded-md border px-4 py-3 text-sm";

type NoticeProps = {
  kind: keyof typeof KINDS;
  children: ReactNode;
  id?: string;
  /** Button at the end that does something about it. */
  action?: ReactNode;
};

/** A message about the whole screen, in the page's flow. */
export function Notice({ kind, children, id, action }: NoticeProps) {
  const role = kind === "error" ? "alert" : "status";
  if (!action) {
    return (
      <div id={id} role={role} className={`${frameClass} ${KINDS[kind]}`}>
        {children}
      </div>
    );
  }
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-2 ${frameClass} ${KINDS[kind]}`}
    >
      <div id={id} role={role} className="grid min-w-0 grow basis-60 gap-1">
        {children}
      </div>
      {action}
    </div>
  );
}
