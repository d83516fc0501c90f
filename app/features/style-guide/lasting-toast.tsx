import { type ReactNode, useEffect } from "react";
import { toast } from "sonner";
import { Message } from "../../ui/message.tsx";
import { ToastArea } from "../../ui/toaster.tsx";

const ID = "lasting";

/** A toast that stays, in an area of its own. */
export default function LastingToast(): ReactNode {
  // Outside React: sonner keeps its own list.
  useEffect(() => {
    const options = { id: ID, toasterId: ID, duration: Number.POSITIVE_INFINITY };
    toast.success(<Message value="dev:ui.sentence" />, options);
    return () => {
      toast.dismiss(ID);
    };
  }, []);
  return <ToastArea id={ID} label={ID} top={16} />;
}
