import "./drawer.css";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { buttonClass } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { useTranslation } from "./translation.tsx";

type DrawerProps = {
  title: string;
  /** The address without the drawer: closing goes there. */
  closeTo: string;
  children: ReactNode;
};

/**
 * A form over the page, as long as the address says so: a link or a reload keeps it open. The browser's own modal
 * dialog; without JavaScript it stands in the page's flow.
 */
export function Drawer({ title, closeTo, children }: DrawerProps) {
  const { t } = useTranslation();
  const id = useId();
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  // Asked while drawing: React gives a field its focus before any effect runs.
  const [opener] = useState(findFocused);

  // Outside React: what the server drew open becomes modal, which only a script can make it, and the focus, which goes
  // into the drawer and back to where it came from.
  useEffect(() => {
    const { current } = dialog;
    if (!current) return;
    const field = findFocused();
    current.close();
    current.showModal();
    if (current.contains(field)) field?.focus();
    return () => opener?.focus();
  }, [opener]);

  return (
    <dialog
      ref={dialog}
      open
      aria-labelledby={id}
      className="form-drawer border border-line bg-panel p-6 text-ink shadow-high"
      onCancel={(event) => {
        event.preventDefault();
        void navigate(closeTo, { replace: true, preventScrollReset: true });
      }}
    >
      <div className="grid gap-4">
        <div className="flex items-center justify-between gap-4">
          <h2 id={id} className="text-lg font-semibold">
            {title}
          </h2>
          <Link
            to={closeTo}
            replace
            preventScrollReset
            aria-label={t("actions.close")}
            className={buttonClass("quiet", "-me-4")}
          >
            <Icon name="x" className="size-5" />
          </Link>
        </div>
        {children}
      </div>
    </dialog>
  );
}

function findFocused(): HTMLElement | null {
  if (typeof document === "undefined") return null;
  return document.activeElement instanceof HTMLElement ? document.activeElement : null;
}
