import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { href } from "react-router";
import { ANSWERED } from "../../http/lost-network.ts";
import { Button } from "../../ui/forms/button.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { draftKey, forget, forgetAll, giveBack, isKept, keep } from "./drafts.ts";

type Given = { form: HTMLFormElement; host: HTMLElement; key: string; takeBack: () => void };

/**
 * Keeps typed text in this tab until the server has accepted it: through a lost network, the end of
 * a session, a reload and other screens. A form that was filled from a draft says so.
 */
export function KeptDrafts({ owner }: { owner: string }) {
  const [given, setGiven] = useState<Given[]>([]);

  // Outside React: the forms of all screens, and the tab's storage.
  useEffect(() => {
    /** A form may get more fields later; its draft keeps the name of the first. */
    const keys = new WeakMap<HTMLFormElement, string>();
    let sent: { form: HTMLFormElement; key: string } | undefined;
    /** The draft of a refused form. The answer may show the form with fewer values. */
    let refused: typeof sent;
    const formOf = ({ target }: Event) => {
      const form = target instanceof Element ? target.closest("form") : null;
      return form && isKept(form) ? form : undefined;
    };

    function find() {
      for (const form of document.forms) {
        if (keys.has(form) || !isKept(form)) continue;
        const key = draftKey(owner, form);
        keys.set(form, key);
        if (key === refused?.key) {
          keep(key, form, true);
          continue;
        }
        const takeBack = giveBack(key, form);
        if (!takeBack) continue;
        const host = document.createElement("div");
        host.className = "col-span-full";
        form.insertBefore(host, form.firstChild);
        setGiven((others) => [...others, { form, host, key, takeBack }]);
      }
      if (!refused?.form.isConnected) refused = undefined;
      setGiven((all) => (all.every(isThere) ? all : all.filter(isThere)));
    }

    function onInput(event: Event) {
      const form = formOf(event);
      const key = form && keys.get(form);
      if (form && key) keep(key, form);
    }

    function onSubmit(event: Event) {
      const { target } = event;
      if (target instanceof HTMLFormElement && target.action.endsWith(href("/sign-out")))
        forgetAll();
      const form = formOf(event);
      const key = form && keys.get(form);
      sent = form && key ? { form, key } : undefined;
      refused = undefined;
    }

    function onAnswer(event: Event) {
      if (!sent || !(event instanceof CustomEvent)) return;
      const { form, key } = sent;
      const outcome = outcomeOf(event.detail);
      if (outcome === "refused") {
        keep(key, form, true);
        refused = sent;
      }
      if (outcome === "saved") {
        forget(key);
        setGiven((all) => all.filter((one) => one.key !== key));
      }
      sent = undefined;
    }

    const changes = new MutationObserver(find);
    changes.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("input", onInput);
    document.addEventListener("submit", onSubmit, { capture: true });
    addEventListener(ANSWERED, onAnswer);
    find();
    return () => {
      changes.disconnect();
      document.removeEventListener("input", onInput);
      document.removeEventListener("submit", onSubmit, { capture: true });
      removeEventListener(ANSWERED, onAnswer);
    };
  }, [owner]);

  return given.map((one) =>
    createPortal(
      <KeptLine
        onDiscard={() => {
          one.takeBack();
          forget(one.key);
          setGiven((all) => all.filter((other) => other !== one));
        }}
      />,
      one.host,
      one.key,
    ),
  );
}

function isThere({ form }: Given): boolean {
  return form.isConnected;
}

function KeptLine({ onDiscard }: { onDiscard: () => void }) {
  const { t } = useTranslation();
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
      {t("draft.kept")}
      <Button type="button" variant="quiet" isSmall className="underline" onClick={onDiscard}>
        {t("draft.discard")}
      </Button>
    </p>
  );
}

/**
 * Parameters of screens that lead back afterwards: sign-in, proof, terms. The form was not saved
 * then.
 */
const LEADS_BACK = ["redirect", "next"];

/** Reads the outcome of a form from its action's answer or error. */
function outcomeOf(answer: unknown): "saved" | "refused" | "unsent" {
  if (answer instanceof Response) {
    const to = new URL(answer.headers.get("Location") ?? "", location.href);
    return LEADS_BACK.some((name) => to.searchParams.has(name)) ? "unsent" : "saved";
  }
  if (answer instanceof Error || typeof answer !== "object" || answer === null) return "saved";
  if ("status" in answer && "statusText" in answer) return "unsent";
  const errors = "errors" in answer && answer.errors;
  return errors && typeof errors === "object" && Object.keys(errors).length > 0
    ? "refused"
    : "saved";
}
