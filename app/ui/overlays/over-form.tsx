import "./drawer.css";
import { type FormEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "../forms/button.tsx";
import { useTranslation } from "../text/translation.tsx";
import { setOpenDrawer } from "./top-layer.tsx";

type OverFormProps = {
  title: string;
  onClose: () => void;
  /** Answers the forms inside, which do not leave the screen. */
  onSubmit: (event: FormEvent<HTMLElement>) => void;
  isBusy: boolean;
  children: ReactNode;
};

/**
 * A native modal dialog over the form, which closes with Escape. The form below keeps what was
 * typed.
 */
export function OverForm({ title, onClose, onSubmit, isBusy, children }: OverFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [{ host, opener }] = useState(findPlace);

  // Outside React: the dialog, the notices over it, and the focus, which returns to where it was.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    const below = setOpenDrawer(dialog.current);
    return () => {
      dialog.current?.close();
      setOpenDrawer(below);
      opener?.focus();
    };
  }, [opener]);

  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className="form-drawer border border-line bg-panel p-6 text-ink shadow-high"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div
        className={`grid gap-6 ${isBusy ? "opacity-60" : ""}`}
        aria-busy={isBusy}
        onSubmitCapture={onSubmit}
      >
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {children}
        <Button type="button" variant="secondary" onClick={onClose}>
          {t("actions.cancel")}
        </Button>
      </div>
    </dialog>,
    host,
  );
}

/**
 * Returns where to put the dialog. An open question contains it, because the browser would close
 * the question for a dialog elsewhere.
 */
function findPlace() {
  const focused = document.activeElement;
  return {
    host: document.querySelector('[popover="auto"]:popover-open') ?? document.body,
    opener: focused instanceof HTMLElement ? focused : undefined,
  };
}
