import { Notice } from "../../ui/feedback/notice.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { Message, messageReference } from "../../ui/text/message.tsx";

/** Says on the login page on which day the account will be deleted; nothing to people who asked for no deletion. */
export function DeletionStarted({ date }: { date: string | undefined }) {
  if (!date) return null;
  return (
    <Notice kind="info">
      <Message value={messageReference("account:deletion.started", { date: isolate(date) })} />
    </Notice>
  );
}
