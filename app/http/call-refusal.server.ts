import { i18nFor } from "../i18n/i18n.server.ts";
import type { Language } from "../i18n/languages.ts";
import type { ErrorCode } from "../i18n/message-key.ts";
import { textOf } from "../i18n/message-reference.ts";
import type { CheckedMessage } from "../ui/text/message.tsx";

type CallRefusal = {
  status: number;
  code: ErrorCode;
  message: CheckedMessage;
  field?: string;
  headers?: HeadersInit;
};

/**
 * Answers a program's call with an error code and a message in the reader's language. better-auth's
 * client gives both to its caller as `error.code` and `error.message`.
 */
export function refuseCall(
  language: Language,
  { status, code, message, field, headers }: CallRefusal,
): Response {
  // The key is known only at run time.
  const t = i18nFor(language).t as (key: string, values: object) => string;
  return Response.json(
    { code, message: textOf(message, t), field },
    headers ? { status, headers } : { status },
  );
}
