import type { ReactNode } from "react";

const KINDS = {
  info: "border-line bg-sunken text-ink",
  success: "border-success-line bg-success-fill text-ink",
  warning: "border-warning-line bg-warning-fill text-ink",
  error: "border-danger-line bg-danger-fill text-ink",
} as const;

type NoticeProps = { kind: keyof typeof KINDS; children: ReactNode; id?: string };

/** A message about the whole screen, in the page's flow. */
export function Notice({ kind, children, id }: NoticeProps) {
  return (
    <div
      id={id}
      role={kind === "error" ? "alert" : "status"}
      className={`rounded-md border px-4 py-3 text-sm ${KINDS[kind]}`}
    >
      {children}
    </div>
  );
}
