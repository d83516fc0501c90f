import { useEffect, useState, useSyncExternalStore } from "react";
import { useBlocker, useNavigation } from "react-router";
import { hasHeldRequests, sendHeldRequests, subscribeToHeldRequests } from "./held-requests.ts";
import { isOffline, reachServer } from "./network.ts";

/** Long enough for the user to notice the try. */
const TRY_SHOWN_MS = 600;

type SubmittedForm = { form: HTMLFormElement; submitter: HTMLElement | null };

/** The form whose submit event is being handled. */
let submitting: SubmittedForm | undefined;
/** The form that started the last navigation; undefined when a link or a script started it. */
let source: SubmittedForm | undefined;

/** Blocks every navigation while the browser is offline, so that the screen stays. Stores the form that started it. */
function noteAndBlock(): boolean {
  source = submitting;
  return isOffline();
}

/**
 * Returns what could not be sent or loaded without the network: a blocked navigation, or requests that failed on the
 * way. `tryAgain` reads the form again, so that text typed meanwhile is sent too. `dismiss` is undefined while a
 * request is held.
 */
export function useUnsent() {
  const blocker = useBlocker(noteAndBlock);
  const navigation = useNavigation();
  const isHeld = useSyncExternalStore(subscribeToHeldRequests, hasHeldRequests, () => false);
  const [isTrying, setIsTrying] = useState(false);
  const isBlocked = blocker.state === "blocked";

  // Outside React: the forms of the page. Their submit event tells which one starts a navigation.
  useEffect(() => {
    const note = ({ target, submitter }: SubmitEvent) => {
      if (!(target instanceof HTMLFormElement)) return;
      submitting = { form: target, submitter };
      setTimeout(() => {
        submitting = undefined;
      });
    };
    document.addEventListener("submit", note, { capture: true });
    return () => document.removeEventListener("submit", note, { capture: true });
  }, []);

  async function tryAgain() {
    if (isTrying) return;
    setIsTrying(true);
    const isReachable = await reachServer();
    if (!isReachable) await new Promise((resolve) => setTimeout(resolve, TRY_SHOWN_MS));
    setIsTrying(false);
    if (isReachable) send();
  }

  function send() {
    const isForm = isBlocked || navigation.formMethod === "POST";
    if (isForm && source?.form.isConnected) {
      if (isBlocked) blocker.reset();
      const { form, submitter } = source;
      form.requestSubmit(submitter?.isConnected ? submitter : null);
    } else if (isBlocked) {
      blocker.proceed();
    }
    sendHeldRequests();
  }

  return {
    isUnsent: isBlocked || isHeld,
    isTrying,
    tryAgain,
    dismiss: isBlocked && !isHeld ? blocker.reset : undefined,
  };
}
