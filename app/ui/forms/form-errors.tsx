import { Notice } from "../feedback/notice.tsx";
import { Message, type MessageReference } from "../text/message.tsx";

/** Errors of a form as a whole. */
export function FormErrors({ errors }: { errors: MessageReference[] | undefined }) {
  const [error] = errors ?? [];
  return error ? (
    <Notice kind="error">
      <Message value={error} />
    </Notice>
  ) : null;
}
