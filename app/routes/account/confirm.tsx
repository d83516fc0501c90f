import { redirect } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { VerifyForm } from "../../features/auth/gateway/input.ts";
import { CodeStep } from "../../features/auth/screens/code-step.tsx";
import { OVER_FORM, type ProofState } from "../../features/auth/screens/over-form.ts";
import { confirmSession, isFresh } from "../../features/auth/sessions/sessions.server.ts";
import { PasskeyOnly, PasskeyStep } from "../../features/passkeys/passkey-confirm.tsx";
import { invalid, parseForm, retryAfterHeaders } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { safeRedirect } from "../../http/safe-redirect.ts";
import { BY_PASSKEY } from "../../http/unproved.ts";
import { readChoice, withChoice } from "../../lists/bulk/kept-choice.ts";
import { requireActor, requireOwner, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { FRESH_MINUTES } from "../../values/limits.ts";
import type { Route } from "./+types/confirm.ts";
import {
  checkAccountCode,
  findCountdowns,
  findProofs,
  sendAccountCode,
} from "./code-actions.server.ts";
import { answerResend, refuseCode } from "./code-answers.server.ts";

export const handle = { i18n: ["account", "login"] };

export async function loader({ context, url }: Route.LoaderArgs) {
  const current = requirePermission(context, "account", "update");
  const { user, session } = current;
  const next = nextOf(url);
  // Cancelled: the rows stay chosen, and the question is closed.
  const cancelTo = withChoice(next, { ...readChoice(url.searchParams), asked: undefined });
  const proofs = await findProofs(context);
  const isByPasskey = url.searchParams.has(BY_PASSKEY);
  const isPasskeyOnly = proofs.hasPasskey && (session.provesByPasskey || isByPasskey);
  // Another tab may have proved it meanwhile.
  const isProved = !isByPasskey && isFresh(current, context.get(requestContext).now());
  const state = { email: user.email, isProved, isPasskeyOnly, ...proofs } satisfies ProofState;
  return { ...state, next, cancelTo };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const actor = requireActor(context, "account", "update");
  const { user, session } = requireOwner(context);
  const isOver = url.searchParams.has(OVER_FORM);
  const form = await parseForm(request, VerifyForm);
  if (!form.ok) return invalid(form.result);
  if (session.provesByPasskey) {
    return invalid(form.result, { "": ["codes:PASSKEY_REQUIRED"] }, { status: 403 });
  }
  switch (form.value.intent) {
    case "resend": {
      const code = { purpose: "confirm", email: user.email } as const;
      const isFirst = (await findCountdowns(context, "confirm")) === undefined;
      const sent = await sendAccountCode(context, code);
      if (isOver && sent.ok) return { isProved: false };
      return answerResend(context, url, form.result, sent, isFirst);
    }
    case "verify": {
      const { code } = form.value;
      const checked = await checkAccountCode(context, { purpose: "confirm", code });
      if (!checked.ok) return refuseCode(context, form.result, checked, "verify");
      const { db, accountCodes } = context.get(servicesContext);
      const isConfirmed = await confirmSession(db, actor, session.id, checked.spend);
      if (!isConfirmed) return refuseCode(context, form.result, accountCodes.expired, "verify");
      return isOver ? { isProved: true } : redirect(nextOf(url));
    }
  }
}

/** Over a form, a lost network closes the dialog and the form stays. */
export function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  const isOver = new URL(request.url).searchParams.has(OVER_FORM);
  const loaded = isOver ? sendForm({ request, serverAction: serverLoader }) : serverLoader();
  // A page is loaded; undefined is for the dialog.
  return loaded as ReturnType<typeof serverLoader>;
}

export const clientAction = sendForm;

export const headers = retryAfterHeaders;

export default function ConfirmScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("account");
  const { email, next, cancelTo, countdowns, hasPasskey, isPasskeyOnly } = loaderData;
  if (isPasskeyOnly) {
    return <PasskeyOnly title={t("confirm.title")} next={next} cancelTo={cancelTo} />;
  }
  return (
    <CodeStep
      title={t("confirm.title")}
      text={t("confirm.text", { count: FRESH_MINUTES })}
      email={email}
      countdowns={countdowns}
      result={actionData && "errors" in actionData ? actionData : undefined}
      cancelTo={cancelTo}
      other={hasPasskey && <PasskeyStep kind="confirm" onDone={() => location.assign(next)} />}
    />
  );
}

/**
 * Returns the page to go on to, with the rows that were chosen there; the account screen when the
 * URL names none, or this screen itself.
 */
function nextOf(url: URL): string {
  const { account, confirm } = accountPaths(areaOf(url));
  const next = safeRedirect(url.searchParams.get("next"));
  if (!next || next.startsWith(confirm)) return account;
  const choice = readChoice(url.searchParams);
  // Without rows, `next` itself names the question that was asked.
  return choice.ids.length > 0 ? withChoice(next, choice) : next;
}
