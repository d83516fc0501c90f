import "../../ui/overlays/drawer.css";
import {
  type FormEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { useFetcher, useSubmit } from "react-router";
import { CodeStepBody } from "../../features/auth/screens/code-step.tsx";
import type { ProofDialogProps } from "../../features/auth/screens/proof-gate.tsx";
import { FRESH_MINUTES } from "../../features/auth/sessions/session-limits.ts";
import { PasskeyOnlyStep, PasskeyStep } from "../../features/passkeys/passkey-confirm.tsx";
import { announceUnsent } from "../../http/lost-network.ts";
import { BY_PASSKEY } from "../../http/unproved.ts";
import { Button } from "../../ui/forms/button.tsx";
import { setOpenDrawer } from "../../ui/overlays/top-layer.tsx";
import { loadTranslations, useTranslation } from "../../ui/text/translation.tsx";
import { OVER_FORM, type ProofState } from "./over-form.ts";

type ProofAnswer = { errors?: Record<string, string[]>; isProved?: boolean };

const NAMESPACES = ["account", "login"];

/** Asks for a proof over what needs one, and then goes on with it. */
export function ProofDialog(props: ProofDialogProps) {
  const { i18n } = useTranslation();
  const { onClose } = props;
  const [isReady, setIsReady] = useState(false);

  // Outside React: the texts. Without them nothing was sent, and the form keeps what was typed.
  useEffect(() => {
    Promise.all(NAMESPACES.map((name) => loadTranslations(i18n, name))).then(
      () => setIsReady(true),
      () => {
        announceUnsent("network");
        onClose();
      },
    );
  }, [i18n, onClose]);

  return isReady && <LoadedDialog {...props} />;
}

function LoadedDialog({ asked, path, onClose }: ProofDialogProps) {
  const search = new URLSearchParams({ [OVER_FORM]: "" });
  if (asked.isByPasskey) search.set(BY_PASSKEY, "");
  const screen = `${path}?${search}`;
  const known = useFetcher<ProofState>();
  const sent = useFetcher<ProofAnswer>();
  const goOn = useGoOn(asked, onClose);
  const { load, state: loading, data: state } = known;
  const result = sent.data?.errors ? { errors: sent.data.errors } : undefined;
  const isProved = sent.data?.isProved || state?.isProved;
  const wasLoading = useRef(false);

  // Outside React: the server, which is asked again after each code that it has sent.
  useEffect(() => {
    if (sent.data?.errors || sent.data?.isProved) return;
    void load(screen);
  }, [load, screen, sent.data]);

  // Outside React: the router. The form is sent again once, or stays when the network was lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (isProved) goOn();
    else if (wasLoading.current && loading === "idle" && !state) onClose();
    wasLoading.current = loading === "loading";
  }, [isProved, loading]);

  /** The forms inside are those of a screen. Here they are answered without leaving the one below. */
  function send(event: FormEvent<HTMLElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (!(event.target instanceof HTMLFormElement) || sent.state !== "idle") return;
    const entries = new FormData(event.target, submitter);
    void sent.submit(entries, { method: "post", action: screen, defaultShouldRevalidate: false });
  }

  if (!state || isProved) return null;
  return (
    <OverForm onClose={onClose} onSubmit={send} isBusy={sent.state !== "idle"}>
      <ProofStep state={state} result={result} onDone={goOn} />
    </OverForm>
  );
}

/** Closes the dialog, and goes on with what it was opened for. */
function useGoOn({ next }: ProofDialogProps["asked"], onClose: () => void): () => void {
  const submit = useSubmit();
  return () => {
    onClose();
    if (typeof next === "function") return next();
    const { entries, action, encType } = next;
    void submit(entries, { method: "post", action, encType, preventScrollReset: true });
  };
}

type OverFormProps = {
  onClose: () => void;
  onSubmit: (event: FormEvent<HTMLElement>) => void;
  isBusy: boolean;
  children: ReactNode;
};

/** A native modal dialog over the form, which closes with Escape. The form below keeps what was typed. */
function OverForm({ onClose, onSubmit, isBusy, children }: OverFormProps) {
  const { t } = useTranslation("account");
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [{ host, opener }] = useState(findPlace);

  // Outside React: the dialog, the notices over it, and the focus, which returns to where it was.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    const below = setOpenDrawer(dialog.current);
    return () => {
      dialog.current?.close();
      setOpenDrawer(below);
      opener?.focus();
    };
  }, [opener]);

  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className="form-drawer border border-line bg-panel p-6 text-ink shadow-high"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div
        className={`grid gap-6 ${isBusy ? "opacity-60" : ""}`}
        aria-busy={isBusy}
        onSubmitCapture={onSubmit}
      >
        <h2 id={id} className="text-lg font-semibold">
          {t("confirm.title")}
        </h2>
        {children}
        <CancelButton onClose={onClose} />
      </div>
    </dialog>,
    host,
  );
}

/**
 * Where the dialog is put: into the open question, which the browser would close for a dialog
 * elsewhere.
 */
function findPlace() {
  const focused = document.activeElement;
  return {
    host: document.querySelector('[popover="auto"]:popover-open') ?? document.body,
    opener: focused instanceof HTMLElement ? focused : undefined,
  };
}

function CancelButton({ onClose }: Pick<OverFormProps, "onClose">) {
  const { t } = useTranslation();
  return (
    <Button type="button" variant="secondary" onClick={onClose}>
      {t("actions.cancel")}
    </Button>
  );
}

type ProofStepProps = {
  state: ProofState;
  result: { errors: Record<string, string[]> } | undefined;
  onDone: () => void;
};

function ProofStep({ state, result, onDone }: ProofStepProps) {
  const { t } = useTranslation("account");
  if (state.isPasskeyOnly) return <PasskeyOnlyStep onDone={onDone} />;
  return (
    <CodeStepBody
      text={t("confirm.text", { count: FRESH_MINUTES })}
      email={state.email}
      countdowns={state.countdowns}
      result={result}
      other={state.hasPasskey && <PasskeyStep kind="confirm" onDone={onDone} />}
    />
  );
}
