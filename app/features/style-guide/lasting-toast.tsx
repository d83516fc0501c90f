import { type ReactNode, useEffect } from "react";
import { toast } from "sonner";
import type { Toast } from "../../ui/feedback/toast-kinds.ts";
import { showOf, ToastArea } from "../../ui/feedback/toaster.tsx";
import { Message } from "../../ui/text/message.tsx";

/** A toast that stays, in an area of its own. */
export default function LastingToast({ kind }: Pick<Toast, "kind">): ReactNode {
  const id = `lasting-${kind}`;
  // Outside React: sonner keeps its own list.
  useEffect(() => {
    const options = { id, toasterId: id, duration: Number.POSITIVE_INFINITY };
    showOf(kind)(<Message value="dev:ui.word" />, options);
    return () => {
      toast.dismiss(id);
    };
  }, [id, kind]);
  return <ToastArea id={id} label={id} top={8} />;
}
