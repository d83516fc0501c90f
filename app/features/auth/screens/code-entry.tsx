import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { useIsHydrated } from "../../../ui/layout/use-is-hydrated.ts";
import { aroundValues } from "../../../ui/text/around-values.ts";
import { Message } from "../../../ui/text/message.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { CODE_LENGTH, CODE_TTL_MINUTES, normalizeCode, readLink } from "../codes/code.ts";
import type { CodeState, Countdowns } from "../codes/code-sent.ts";
import { LINK_TTL_MS } from "../codes/link-ttl.ts";
import { useSecondsLeft } from "../codes/use-seconds-left.ts";
import { asksCaptcha, CaptchaSlot } from "./captcha-slot.tsx";
import { CodeField } from "./code-field.tsx";
import { useGate } from "./gate.tsx";

type CodeEntryProps = {
  /** Restarted by each answer of the server, even with equal values. */
  countdowns: Countdowns;
  /** What the browser's cookie says about the code. */
  state?: CodeState | undefined;
  /** True for a sign-in. The link in its mail is valid longer than the code. */
  isSignIn?: boolean;
  captchaSiteKey: string | undefined;
  shownCode: string | undefined;
  /** The form's step, on a screen with several steps. */
  step?: string;
  help?: ReactNode;
  /** Link to another e-mail, or back. */
  otherLink: ReactNode;
  result: { errors: Record<string, string[]> } | undefined;
  /** Names the destructive change that the code allows, on a red button; undefined for other codes. */
  destructiveLabel?: string;
  /** True when the button for another code is small, beside the remaining time. */
  isResendBeside?: boolean;
};

/** The form that asks for another code. Its button may be outside. */
const RESEND_FORM = "resend";

/** After these errors only a new code helps. */
const SPENT = ["codes:TOO_MANY_ATTEMPTS", "codes:OTP_EXPIRED"];

const LINK_REQUIRED = "codes:LINK_REQUIRED";

type Result = CodeEntryProps["result"];

/** Returns the error after which only a new code helps; undefined while the code can still be entered. */
export function spentBy(
  result: Result,
  { state, countdowns }: Pick<CodeEntryProps, "state" | "countdowns">,
): string | undefined {
  const error = result?.errors[""]?.find((one) => SPENT.includes(one));
  if (error) return error;
  if (state === "spent") return "codes:TOO_MANY_ATTEMPTS";
  return countdowns.expiresIn === 0 ? "codes:OTP_EXPIRED" : undefined;
}

/** True when too many wrong codes were entered today, so that only the link of the mail signs in. */
function isLinkOnly(result: Result, state: CodeState | undefined): boolean {
  // The answer to a form brings no new state.
  return state === "link" || result?.errors[""]?.includes(LINK_REQUIRED) === true;
}

/** Form for a one-time code: the field, the remaining time, a button for another code, and a link to another e-mail. */
export function CodeEntry(props: CodeEntryProps) {
  const { countdowns, captchaSiteKey, shownCode, step, result, state, isSignIn } = props;
  const isHydrated = useIsHydrated();
  const intent = useNavigation().formData?.get("intent");
  const secondsLeft = useSecondsLeft(countdowns.expiresIn ?? 0, countdowns);
  const mailLink = useMailLink();
  // The link is valid longer than the code, and whatever became of the code.
  const isByLink = mailLink !== undefined && result === undefined;
  const spent = isByLink ? undefined : spentBy(result, props);
  const hasCountdown = isHydrated && !isByLink && countdowns.expiresIn !== undefined;
  const isOver = hasCountdown && secondsLeft === 0;
  const lock = spent ?? (isOver ? "codes:OTP_EXPIRED" : undefined);
  const isBeside = props.isResendBeside === true && !lock;
  const needsLink = !isByLink && isLinkOnly(result, state);
  const isWaiting = isSignIn && state === "waiting" && !isByLink;
  const isUsedUp = spent === "codes:TOO_MANY_ATTEMPTS";
  const hasLinkForm = isSignIn && !isByLink && (needsLink || lock || result?.errors.mailLink);
  const resendErrors = result?.errors.resend;
  const resend = (
    <Resend
      countdowns={countdowns}
      isBusy={intent === "resend"}
      isUrgent={lock !== undefined}
      isBeside={isBeside}
      errors={resendErrors}
    />
  );

  return (
    <>
      {shownCode && !lock && <ShownCode code={shownCode} isBusy={intent === "verify"} />}
      {isWaiting && <NoNewMail countdowns={countdowns} isCodeUsedUp={isUsedUp} />}
      {needsLink && (
        <Notice kind="warning">
          <Message value={LINK_REQUIRED} />
        </Notice>
      )}
      {lock && !needsLink && (isUsedUp || !isWaiting) && (
        <Notice kind={spent ? "error" : "warning"}>
          <Message value={lock} />
        </Notice>
      )}
      {hasLinkForm ? (
        <LinkForm
          countdowns={countdowns}
          isExplained={needsLink || isWaiting === true}
          isNeeded={needsLink}
          isBusy={intent === "link"}
          result={result}
        />
      ) : lock ? undefined : (
        <CodeForm
          destructiveLabel={props.destructiveLabel}
          isBusy={intent === "verify"}
          step={step}
          mailLink={mailLink}
          result={result}
          expiry={
            !isByLink && countdowns.expiresIn !== undefined ? (
              <Expiry secondsLeft={isHydrated ? secondsLeft : undefined} />
            ) : undefined
          }
          resend={isBeside && resend}
        />
      )}
      <div
        className={`grid ${isBeside ? "-mt-3" : `gap-4 ${lock ? "" : "border-t border-line pt-6"}`}`}
      >
        {!lock && props.help}
        <Form id={RESEND_FORM} method="post" replace className={isBeside ? "hidden" : "grid gap-2"}>
          <input type="hidden" name="intent" value="resend" />
          <CaptchaSlot siteKey={asksCaptcha(resendErrors) ? captchaSiteKey : undefined} />
          {!isBeside && resend}
        </Form>
        {props.otherLink}
      </div>
    </>
  );
}

type MailLink = ReturnType<typeof readLink>;

/** Returns what the link of the mail has in its fragment, which is never sent to a server; undefined without one. */
function useMailLink(): MailLink {
  const [link, setLink] = useState<MailLink>();
  // Outside React: the URL.
  useEffect(() => {
    const mailed = readLink(location.hash);
    if (!mailed) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    setLink(mailed);
  }, []);
  return link;
}

/** Returns a function that writes seconds as minutes, rounded up. */
function useMinutes(): (seconds: number) => string {
  const { quantity } = useFormat();
  return (seconds) => quantity(Math.max(1, Math.ceil(seconds / 60)), "minute");
}

/**
 * Says why no new mail has left, what the newest one still does, and when the next can leave. It
 * counts down.
 */
function NoNewMail({
  countdowns,
  isCodeUsedUp,
}: Pick<CodeEntryProps, "countdowns"> & { isCodeUsedUp: boolean }) {
  const { t } = useTranslation("login");
  const minutes = useMinutes();
  const codeLeft = useSecondsLeft(countdowns.expiresIn ?? 0, countdowns);
  const linkLeft = useSecondsLeft(countdowns.linkIn ?? 0, countdowns);
  const resendLeft = useSecondsLeft(countdowns.resendIn, countdowns);
  const why = resendLeft > 0 ? t("noNewMail", { duration: minutes(resendLeft) }) : t("mayAskAgain");
  return (
    <Notice kind="info">
      {why} {rest()}
    </Notice>
  );

  function rest() {
    if (linkLeft === 0) return undefined;
    const link = minutes(linkLeft);
    if (isCodeUsedUp) return t("linkStillWorks", { duration: link });
    return codeLeft > 0
      ? t("newestWorks", { code: minutes(codeLeft), link })
      : t("newestLinkWorks", { duration: link });
  }
}

type LinkFormProps = Pick<CodeEntryProps, "countdowns" | "result"> & {
  /** True where a notice above says that the link signs in. */
  isExplained: boolean;
  /** True when only a link signs in. */
  isNeeded: boolean;
  isBusy: boolean;
};

/**
 * The form for the whole link of a mail, when a code alone does not sign in. With JavaScript opening the link fills it
 * in.
 */
function LinkForm({ countdowns, isExplained, isNeeded, isBusy, result }: LinkFormProps) {
  const { t } = useTranslation("login");
  const { linkIn } = countdowns;
  const minutes = useMinutes();
  const secondsLeft = useSecondsLeft(linkIn ?? 0, countdowns);
  // After its time the screen no longer says that the link works. The server checks a link that is
  // tried.
  const isOver = linkIn !== undefined && secondsLeft === 0;
  if (isOver && !isNeeded && !result?.errors.mailLink) return null;
  return (
    <Form method="post" noValidate replace className="grid gap-4">
      {!isExplained && (
        <p className="text-sm text-pretty">
          {linkIn === undefined || isOver
            ? t("linkIfNew", { duration: minutes(LINK_TTL_MS / 1_000) })
            : t("linkStillWorks", { duration: minutes(secondsLeft) })}
        </p>
      )}
      <input type="hidden" name="intent" value="link" />
      <TextField
        name="mailLink"
        label={t("mailLink")}
        type="url"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        errors={result?.errors.mailLink}
        required
      />
      <Button isBusy={isBusy}>{t("withLink")}</Button>
    </Form>
  );
}

/** A demonstration's code, which is not sent by mail. Pressing it enters it. */
function ShownCode({ code, isBusy }: { code: string; isBusy: boolean }) {
  const { t } = useTranslation("login");
  return (
    <Form method="post" replace className="grid">
      <input type="hidden" name="intent" value="verify" />
      <Button variant="secondary" name="code" value={code} isBusy={isBusy}>
        {t("shownCode")} <bdi className="text-lg font-semibold">{code}</bdi>
      </Button>
    </Form>
  );
}

type CodeFormProps = Pick<CodeEntryProps, "destructiveLabel" | "result" | "step"> & {
  isBusy: boolean;
  /** Fills in the code, which then waits for Confirm. */
  mailLink: MailLink;
  /** How long the code is valid, when this browser knows of a code. */
  expiry: ReactNode;
  /** Button for another code, beside the remaining time. */
  resend: ReactNode;
};

function CodeForm(props: CodeFormProps) {
  const { isBusy, step, result, expiry, destructiveLabel, resend, mailLink } = props;
  const { t } = useTranslation("login");
  const [code, setCode] = useState("");
  const [lastResult, setLastResult] = useState(result);
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const lastSubmitted = useRef("");
  const [error, triesLeft] = result?.errors.code ?? [];
  useGate(code.length);

  // A wrong code is cleared together with its message, so that the first digit of the next code is not lost.
  if (result !== lastResult) {
    setLastResult(result);
    setCode("");
  }

  // Outside React: the field, into which the user may have typed before hydration.
  useEffect(() => {
    setCode(digitsOf(input.current?.value ?? "").slice(0, CODE_LENGTH));
  }, []);

  useEffect(() => {
    if (!mailLink) return;
    lastSubmitted.current = mailLink.code;
    setCode(mailLink.code);
  }, [mailLink]);

  // Outside React: focus. After an answer the field is ready for the next code.
  useEffect(() => {
    if (!result) return;
    lastSubmitted.current = "";
    input.current?.focus();
  }, [result]);

  // Outside React: the form. The sixth digit sends it, once for each code. A red button wants to be
  // pressed.
  const isComplete = code.length === CODE_LENGTH && !destructiveLabel;
  useEffect(() => {
    if (!isComplete || isBusy || code === lastSubmitted.current) return;
    lastSubmitted.current = code;
    form.current?.requestSubmit();
  }, [code, isBusy, isComplete]);

  return (
    <Form ref={form} method="post" noValidate replace className="grid gap-4">
      <FormErrors errors={result?.errors[""]} />
      <input type="hidden" name="intent" value="verify" />
      {step && <input type="hidden" name="step" value={step} />}
      {mailLink?.code === code && <input type="hidden" name="key" value={mailLink.key} />}
      <CodeField
        ref={input}
        label={t("code")}
        hint={expiry}
        hintEnd={resend}
        errors={error ? [error] : undefined}
        errorNote={triesLeft && <Message value={triesLeft} />}
        value={code}
        onChange={(typed) => setCode(digitsOf(typed).slice(0, CODE_LENGTH))}
        onPaste={(event) => {
          const pasted = digitsOf(event.clipboardData.getData("text"));
          if (pasted.length !== CODE_LENGTH || isBusy) return;
          // A pasted complete code replaces the field's value, wherever the caret is.
          event.preventDefault();
          setCode(pasted);
        }}
        isDisabled={isBusy}
      />
      <Button variant={destructiveLabel ? "danger" : "primary"} isBusy={isBusy}>
        {destructiveLabel ?? t("confirm")}
      </Button>
    </Form>
  );
}

/** Shows how long the code is valid: with JavaScript as a countdown, which is hidden from screen readers. */
function Expiry({ secondsLeft }: { secondsLeft: number | undefined }) {
  const { t } = useTranslation("login");
  const validity = t("expires", { count: CODE_TTL_MINUTES, expiration: CODE_TTL_MINUTES });
  if (secondsLeft === undefined) return validity;
  const [before, after] = aroundValues((clock) => t("expiresIn", { clock }));
  return (
    <>
      <span className="sr-only">{validity}</span>
      <span aria-hidden="true">
        {before}
        <bdi className="font-medium text-ink">{formatClock(secondsLeft)}</bdi>
        {after}
      </span>
    </>
  );
}

type ResendProps = Pick<CodeEntryProps, "countdowns"> & {
  isBusy: boolean;
  /** True when a new code is the only way to continue. */
  isUrgent: boolean;
  /** True beside the remaining time, as a small button. */
  isBeside: boolean;
  errors: string[] | undefined;
};

/** Button for another code, the time until then, and the reason why none was sent. */
function Resend({ countdowns, isBusy, isUrgent, isBeside, errors }: ResendProps) {
  const { t } = useTranslation("login");
  const isHydrated = useIsHydrated();
  const secondsLeft = useSecondsLeft(countdowns.resendIn, countdowns);
  const isWaiting = secondsLeft > 0;
  const isClosed = isHydrated && isWaiting;
  const [before, after] = aroundValues((clock) => t("resendAt", { clock }));
  const button = useRef<HTMLButtonElement>(null);

  // Outside React: focus, which was in the code's field. It moves only if the user has not moved it
  // to a control.
  useEffect(() => {
    const isOnControl =
      document.activeElement instanceof HTMLElement && document.activeElement.tabIndex >= 0;
    if (isUrgent && !isWaiting && !isOnControl) button.current?.focus();
  }, [isUrgent, isWaiting]);

  return (
    <>
      <Button
        ref={button}
        form={RESEND_FORM}
        variant={isBeside ? "quiet" : isUrgent && !isClosed ? "primary" : "secondary"}
        isSmall={isBeside}
        // Its text begins and ends where the line does, and its height adds nothing to the line's.
        className={isBeside ? "-mx-3.25 -my-2 justify-self-start not-disabled:text-accent-ink" : ""}
        isBusy={isBusy}
        disabled={isClosed}
        aria-describedby="resend-wait"
      >
        <span className={isWaiting ? "[@media(scripting:enabled)]:sr-only" : ""}>
          {t("resend")}
        </span>
        {isWaiting && (
          <span aria-hidden="true" className="[@media(scripting:none)]:hidden">
            {before}
            <bdi>{formatClock(secondsLeft)}</bdi>
            {after}
          </span>
        )}
      </Button>
      <p
        id="resend-wait"
        className={`text-sm text-muted empty:hidden [@media(scripting:enabled)]:sr-only ${isBeside ? "basis-full" : "text-center"}`}
      >
        {isWaiting &&
          (secondsLeft <= 60
            ? t("resendIn", { count: secondsLeft })
            : t("resendInMinutes", { count: Math.ceil(secondsLeft / 60) }))}
      </p>
      <p role="alert" className="basis-full text-sm text-danger empty:hidden">
        {errors?.[0] && <Message value={errors[0]} />}
      </p>
    </>
  );
}

function digitsOf(typed: string): string {
  return normalizeCode(typed).replace(/\D/g, "");
}

/** Formats seconds as minutes and seconds. */
function formatClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
