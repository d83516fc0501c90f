import { Notice } from "../feedback/notice.tsx";
import { Message, type MessageReference } from "../text/message.tsx";

export function FormErrors({ errors }: { errors: MessageReference[] | undefined }) {
  const [error] = errors ?? [];
  return error ? (
    <Notice kind="error">
      <Message value={error} />
    </Notice>
  ) : null;
}
