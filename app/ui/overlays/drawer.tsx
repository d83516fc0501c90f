import "./drawer.css";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Form, Link, useNavigate, useNavigation } from "react-router";
import { Button, buttonClass } from "../forms/button.tsx";
import { FormErrors } from "../forms/form-errors.tsx";
import { useFirstErrorFocus } from "../forms/use-first-error-focus.ts";
import { Icon } from "../text/icon.tsx";
import { useTranslation } from "../text/translation.tsx";
import { setOpenDrawer } from "./top-layer.tsx";

type DrawerProps = {
  title: string;
  intro?: string;
  /** URL of the page without the drawer; closing goes there. */
  closeTo: string;
  children: ReactNode;
};

/**
 * A form over the page while the URL says so, so a link or a reload keeps it open. It is a native modal dialog; without
 * JavaScript it is part of the page's flow.
 */
export function Drawer({ title, intro, closeTo, children }: DrawerProps) {
  const { t } = useTranslation();
  const id = useId();
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  // Read while rendering, because React focuses a field before any effect runs.
  const [opener] = useState(findFocused);

  // Outside React: the dialog that the server drew open, which only a script can make modal, and the focus, which moves
  // into the drawer and later back to the opener.
  useEffect(() => {
    const { current } = dialog;
    if (!current) return;
    const field = findFocused();
    current.close();
    current.showModal();
    if (current.contains(field)) field?.focus();
    setOpenDrawer(current);
    return () => {
      setOpenDrawer(null);
      opener?.focus();
    };
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
        <div className="flex items-start justify-between gap-4">
          <div className="grid min-w-0 gap-1">
            <h2 id={id} className="text-lg font-semibold">
              {title}
            </h2>
            {intro && <p className="text-sm text-muted">{intro}</p>}
          </div>
          {/* As high as the title's first line. */}
          <div className="flex h-lh shrink-0 items-center text-lg">
            <Link
              to={closeTo}
              replace
              preventScrollReset
              aria-label={t("actions.close")}
              className={buttonClass("quiet", "-me-3 w-11 px-0!")}
            >
              <Icon name="x" className="size-5" />
            </Link>
          </div>
        </div>
        {children}
      </div>
    </dialog>
  );
}

type DrawerFormProps = DrawerProps & {
  intent: string;
  /** Texts of the buttons; by default "Save" and "Cancel". */
  save?: string;
  cancel?: string;
  /** The answer to the posted form, when it was refused. */
  result: { errors: Record<string, string[]> } | undefined;
};

/** A drawer whose fields are saved. */
export function DrawerForm({ intent, save, cancel, result, children, ...drawer }: DrawerFormProps) {
  const { t } = useTranslation();
  const isBusy = useNavigation().formData?.get("intent") === intent;
  const form = useFirstErrorFocus(result);
  return (
    <Drawer {...drawer}>
      <Form ref={form} method="post" noValidate className="grid gap-4">
        <input type="hidden" name="intent" value={intent} />
        <FormErrors errors={result?.errors[""]} />
        {children}
        <DrawerActions closeTo={drawer.closeTo} cancel={cancel}>
          <Button isBusy={isBusy}>{save ?? t("actions.save")}</Button>
        </DrawerActions>
      </Form>
    </Drawer>
  );
}

type DrawerActionsProps = Pick<DrawerFormProps, "closeTo" | "cancel" | "children">;

/** Buttons of a drawer: cancel first, then the action. */
export function DrawerActions({ closeTo, cancel, children }: DrawerActionsProps) {
  const { t } = useTranslation();
  return (
    <div className="flex justify-end gap-3 max-md:*:flex-1">
      <Link to={closeTo} replace preventScrollReset className={buttonClass("secondary")}>
        {cancel ?? t("actions.cancel")}
      </Link>
      {children}
    </div>
  );
}

function findFocused(): HTMLElement | null {
  if (typeof document === "undefined") return null;
  return document.activeElement instanceof HTMLElement ? document.activeElement : null;
}
