import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { Button } from "../forms/button.tsx";
import { Message } from "../text/message.tsx";
import { useTranslation } from "../text/translation.tsx";
import { Notice } from "./notice.tsx";
import type { Toast } from "./toast-kinds.ts";

/** If its code cannot be fetched, as after a new release or on a bad network, a notice shows the same text. */
const Toaster = lazy(async () => {
  // The server never draws it, so its bundle leaves the code out.
  if (import.meta.env.SSR) return { default: ToastNotice };
  return import("./toaster.tsx").catch(() => ({ default: ToastNotice }));
});

/** Shows the toast of the previous screen: as a toast, and without JavaScript as a notice in the page. */
export function FlashToast({ toast }: { toast: Toast | undefined }) {
  const [shown, setShown] = useState<Toast | undefined>(undefined);
  const lastId = useRef<string | undefined>(undefined);

  // Outside React: the toaster, which loads with the first toast.
  useEffect(() => {
    if (!toast || toast.id === lastId.current) return;
    lastId.current = toast.id;
    setShown(toast);
  }, [toast]);

  return (
    <>
      {toast && (
        <noscript>
          <ToastNotice toast={toast} />
        </noscript>
      )}
      {shown && (
        <Suspense>
          <Toaster toast={shown} />
        </Suspense>
      )}
    </>
  );
}

function ToastNotice({ toast }: { toast: Toast }) {
  return (
    <div className="mx-auto max-w-2xl p-4">
      <Notice kind={noticeKindOf(toast.kind)}>
        <Message value={toast.message} />
        {toast.undo && <UndoForm {...toast.undo} />}
      </Notice>
    </div>
  );
}

function UndoForm({ action, intent, fields = [] }: NonNullable<Toast["undo"]>) {
  const { t } = useTranslation();
  return (
    <Form method="post" action={action} className="mt-2">
      {fields.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <Button variant="secondary" name="intent" value={intent}>
        {t("actions.undo")}
      </Button>
    </Form>
  );
}

function noticeKindOf(kind: Toast["kind"]) {
  return kind === "default" || kind === "loading" ? "info" : kind;
}
