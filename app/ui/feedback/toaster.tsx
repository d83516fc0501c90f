import { useEffect, useRef, useState } from "react";
import { useLocation, useSubmit } from "react-router";
import { Toaster as Sonner, toast as show } from "sonner";
import { useDocument } from "../layout/document.tsx";
import { TopLayer } from "../overlays/top-layer.tsx";
import { Message } from "../text/message.tsx";
import { useTranslation } from "../text/translation.tsx";
import { NoticeIcon } from "./notice.tsx";
import { Spinner } from "./spinner.tsx";
import type { Toast } from "./toast-kinds.ts";
import { clearRoom, makeRoom, topOfToasts } from "./toast-room.ts";

/**
 * Specification, section 9. Width 356 px, swipe threshold 45 px and removal delay 200 ms are
 * sonner's own constants.
 */
const TOAST_DURATION_MS = 4_000;
const VISIBLE_TOASTS = 3;
const TOAST_GAP_PX = 14;
/** As in the notices of a page. */
const ICONS = {
  loading: <Spinner />,
  success: <NoticeIcon kind="success" className="size-4" />,
  info: <NoticeIcon kind="info" className="size-4" />,
  warning: <NoticeIcon kind="warning" className="size-4" />,
  error: <NoticeIcon kind="error" className="size-4" />,
};
const TOAST_SIDE_PX = 16;

export default function Toaster({ toast }: { toast: Toast }) {
  const { t } = useTranslation();
  const submit = useSubmit();
  const shownId = useRef<string | undefined>(undefined);
  const [top, setTop] = useState(topOfToasts);
  const { pathname } = useLocation();
  const shownAt = useRef(pathname);

  // Outside React: the toasts of the screen before, and the room that it made for them.
  useEffect(() => {
    if (shownAt.current === pathname) return;
    shownAt.current = pathname;
    show.dismiss();
    clearRoom();
  }, [pathname]);

  // Outside React: sonner keeps its own list, and would show a closed toast again after a new render.
  useEffect(() => {
    if (shownId.current === toast.id) return;
    shownId.current = toast.id;
    setTop(topOfToasts());
    const { id, message, undo } = toast;
    showOf(toast.kind)(<Message value={message} />, {
      id,
      action: undo && {
        label: t("actions.undo"),
        onClick: () =>
          void submit([["intent", undo.intent], ...(undo.fields ?? [])], {
            method: "post",
            action: undo.action,
          }),
      },
    });
    // Sonner keeps a loading toast until it is dismissed.
    if (toast.kind === "loading") setTimeout(() => show.dismiss(id), TOAST_DURATION_MS);
    // Its height is known once it is drawn.
    makeRoom(TOAST_GAP_PX, setTop);
  }, [toast, t, submit]);

  return (
    <TopLayer raisedBy={toast.id}>
      <ToastArea label={t("toasts")} top={top} />
    </TopLayer>
  );
}

/** Returns the function of sonner that shows a toast of some kind. */
function showOf(kind: Toast["kind"]) {
  return kind === "default" ? show : show[kind];
}

type ToastAreaProps = {
  label: string;
  /** Distance from the top of the window, in pixels. */
  top: number;
};

/** Where toasts appear, and how they look. */
function ToastArea({ label, top }: ToastAreaProps) {
  const { t, i18n } = useTranslation();
  const { theme } = useDocument();
  const isRightToLeft = i18n.dir() === "rtl";
  return (
    <Sonner
      // In right-to-left pages a phone's toast keeps the desktop's distance from the right.
      offset={{ top, right: TOAST_SIDE_PX }}
      mobileOffset={{ top, left: TOAST_SIDE_PX, right: TOAST_SIDE_PX }}
      theme={theme}
      dir={i18n.dir()}
      position="top-right"
      duration={TOAST_DURATION_MS}
      visibleToasts={VISIBLE_TOASTS}
      gap={TOAST_GAP_PX}
      closeButton
      icons={ICONS}
      containerAriaLabel={label}
      style={{
        "--normal-bg": "var(--color-panel)",
        "--normal-border": "var(--color-line)",
        "--normal-text": "var(--color-ink)",
        // The close button stands inside the toast, in the middle of its end.
        "--toast-close-button-start": isRightToLeft ? "0.75rem" : "auto",
        "--toast-close-button-end": isRightToLeft ? "auto" : "0.75rem",
      }}
      // Sonner's own 13 px would not scale with the language.
      toastOptions={{
        closeButtonAriaLabel: t("actions.close"),
        // A finger needs more than its 20 px.
        classNames: { closeButton: "after:absolute after:-inset-3.25" },
        style: {
          fontSize: "var(--text-sm)",
          paddingInlineEnd: "2.75rem",
          // Sonner writes the height of each toast.
          "--toast-close-button-transform": "translateY(calc((var(--initial-height) - 20px) / 2))",
        },
      }}
    />
  );
}
