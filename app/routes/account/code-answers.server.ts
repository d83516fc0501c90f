import { type RouterContextProvider, redirect } from "react-router";
import type { CodeRefusal } from "../../features/auth/codes/account-codes.server.ts";
import { codeFormErrors, messageForCode } from "../../features/auth/gateway/error-message.ts";
import { type FormResult, invalid } from "../../http/forms.server.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { languageContext } from "../../middleware/locale.ts";

type Context = Readonly<RouterContextProvider>;

/**
 * Answers the form that asked for a code. A sent code leads to the form's screen; a refused one gets the reason.
 * `isFirst` is true when the user had no code to enter yet: the screen itself then says that one was sent, and a later
 * code has a toast.
 */
export function answerResend(
  context: Context,
  url: URL,
  result: FormResult,
  sent: { ok: true } | CodeRefusal,
  isFirst = false,
) {
  if (!sent.ok) return refuseCode(context, result, sent, "resend");
  const screen = url.pathname + url.search;
  if (isFirst) return redirect(screen);
  return redirectWithToast(screen, { kind: "success", message: "login:resent" });
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
