import type { RouterContextProvider } from "react-router";
import type { CodeRefusal } from "../../features/auth/codes/account-codes.server.ts";
import { codeFormErrors, messageForCode } from "../../features/auth/gateway/error-message.ts";
import { type FormResult, invalid } from "../../http/forms.server.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { languageContext } from "../../middleware/locale.ts";

type Context = Readonly<RouterContextProvider>;

/**
 * Answers the form that asked for a code. A sent code leads to the form's screen with a toast; a refused one gets the
 * reason. `isFirst` is true when the user had no code to enter yet.
 */
export function answerResend(
  context: Context,
  url: URL,
  result: FormResult,
  sent: { ok: true } | CodeRefusal,
  isFirst = false,
) {
  if (!sent.ok) return refuseCode(context, result, sent, "resend");
  const message = isFirst ? "account:code.first" : "login:resent";
  const toast = { kind: "success", message } as const;
  return redirectWithToast(url.pathname + url.search, toast);
}

/**
 * Answers a form with the reason why no code was sent or the entered code was refused. The error is beside the code's
 * field or above the form when a code was entered, else beside the part that asked for one.
 */
export function refuseCode(
  context: Context,
  result: FormResult,
  refusal: CodeRefusal,
  part: "verify" | "resend" | "email" | "deletion",
) {
  const language = context.get(languageContext);
  const { code, retryAfterSeconds } = refusal;
  const errors =
    part === "verify"
      ? codeFormErrors(refusal, language)
      : { [part]: [messageForCode(code, { retryAfterSeconds, language })] };
  return invalid(result, errors, refusal);
}
