import type { ReactNode } from "react";
import { Icon } from "../text/icon.tsx";
import type { IconName } from "../text/icon-names.ts";

/** Its frame, and the picture that tells the kinds apart without their colours. */
const KINDS = {
  info: { frame: "border-line bg-sunken", icon: "info", ink: "text-muted" },
  success: {
    frame: "border-success-line bg-success-fill",
    icon: "circle-check",
    ink: "text-success",
  },
  warning: {
    frame: "border-warning-line bg-warning-fill",
    icon: "triangle-alert",
    ink: "text-warning",
  },
  error: { frame: "border-danger-line bg-danger-fill", icon: "octagon-x", ink: "text-danger" },
} as const satisfies Record<string, { frame: string; icon: IconName; ink: string }>;

type NoticeProps = {
  kind: keyof typeof KINDS;
  children: ReactNode;
  id?: string;
  /** True for a state that lasts, which a screen reader does not announce as an error. */
  isState?: boolean;
  action?: ReactNode;
};

type NoticeIconProps = { kind: NoticeProps["kind"]; className: string };

export function NoticeIcon({ kind, className }: NoticeIconProps) {
  const { icon, ink } = KINDS[kind];
  return <Icon name={icon} className={`${className} ${ink}`} />;
}

/** A message about the whole screen, in the page's flow. */
export function Notice({ kind, children, id, isState = false, action }: NoticeProps) {
  const { frame } = KINDS[kind];
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-md border px-4 py-3 text-sm text-ink ${frame}`}
    >
      <div className="flex min-w-0 grow basis-60 gap-3">
        <NoticeIcon kind={kind} className="h-[1lh] w-4 shrink-0" />
        <div
          id={id}
          role={kind === "error" && !isState ? "alert" : "status"}
          className="grid min-w-0 grow gap-1"
        >
          {children}
        </div>
      </div>
      {/* On a phone below the text. */}
      {action && <div className="max-sm:ms-7 empty:hidden">{action}</div>}
    </div>
  );
}
