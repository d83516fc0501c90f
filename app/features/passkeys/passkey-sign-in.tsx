import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { Button } from "../../ui/forms/button.tsx";
import { MarkedButton } from "../../ui/forms/marked-button.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { Message } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { hasSeenPasskey, usePasskeySupport } from "./passkey-support.ts";

/** The field for which the browser suggests passkeys. */
const FIELD = 'input[autocomplete~="webauthn"]';

type PasskeySignInProps = {
  redirect: string | undefined;
  /** True when this browser signed in with a passkey last. */
  isUsedLast: boolean;
  /** Stands before the button, and is missing with it. */
  divider: ReactNode;
};

/**
 * Sign-in with a passkey: by a button, and among the browser's suggestions for the e-mail field. The button's space is
 * reserved and it appears once passkeys are known to work, so that nothing moves. Without JavaScript there is no
 * button.
 */
export function PasskeySignIn({ redirect, isUsedLast, divider }: PasskeySignInProps) {
  const { t } = useTranslation("login");
  const isSupported = usePasskeySupport();
  const isPosting = useNavigation().state !== "idle";
  const [isBusy, setIsBusy] = useState(false);
  const [code, setCode] = useState<string>();
  const isOffering = isSupported && !isBusy && !isPosting;
  /** One offer a page: a browser that refuses it, or a user who cancels it, is not asked again. */
  const isOffered = useRef(false);

  // Outside React: the browser's suggestions. They need a request to the server, so they wait until the field is used,
  // unless this browser has used a passkey before.
  useEffect(() => {
    const field = isOffering && document.querySelector<HTMLInputElement>(FIELD);
    if (!field) return;
    const ending = new AbortController();
    const { signal } = ending;
    async function offer() {
      if (isOffered.current) return;
      isOffered.current = true;
      const client = await loadClient();
      const failure = await client?.offerAmongSuggestions(redirect, signal);
      if (failure) setCode(failure);
      // The page ended the offer itself, for a prompt or a form that may bring the user back to it.
      if (signal.aborted) isOffered.current = false;
    }
    // Not "focus", because the screen focuses the field when it opens. Entering with Tab ends with a "keyup" in the
    // field.
    for (const use of ["pointerdown", "keydown", "keyup"]) {
      field.addEventListener(use, offer, { signal });
    }
    if (hasSeenPasskey()) void offer();
    return () => ending.abort();
  }, [isOffering, redirect]);

  async function press() {
    setIsBusy(true);
    setCode(undefined);
    const client = await loadClient();
    setCode(client ? await client.signIn(redirect) : "UNKNOWN_ERROR");
    setIsBusy(false);
  }

  if (isSupported === false) return null;
  return (
    <div className={isSupported ? "grid gap-3" : "invisible grid gap-3 noscript:hidden"}>
      {divider}
      <MarkedButton mark={isUsedLast ? t("usedLast") : undefined}>
        {(describedBy) => (
          <Button
            type="button"
            variant="secondary"
            isBusy={isBusy}
            onClick={press}
            aria-describedby={describedBy}
          >
            <Icon name="fingerprint-pattern" className="size-4" />
            {t("withPasskey")}
          </Button>
        )}
      </MarkedButton>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {code && <Message value={`codes:${code}`} />}
      </p>
    </div>
  );
}

function loadClient() {
  return import("./passkey-client.ts").catch(() => undefined);
}
