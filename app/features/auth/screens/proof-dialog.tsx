import { type FormEvent, useEffect, useRef, useState } from "react";
import { useFetcher, useSubmit } from "react-router";
import { announceUnsent } from "../../../http/lost-network.ts";
import { BY_PASSKEY } from "../../../http/unproved.ts";
import { OverForm } from "../../../ui/overlays/over-form.tsx";
import { loadTranslations, useTranslation } from "../../../ui/text/translation.tsx";
import { FRESH_MINUTES } from "../../../values/limits.ts";
import { CodeStepBody } from "./code-step.tsx";
import { OVER_FORM, type ProofState } from "./over-form.ts";
import type { ProofDialogProps } from "./proof-gate.tsx";

type ProofAnswer = { errors?: Record<string, string[]>; isProved?: boolean };

const NAMESPACES = ["account", "login"];

/** Asks for a proof over the form that needs one, and then sends the form. */
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

function LoadedDialog({ asked, path, passkeys, onClose }: ProofDialogProps) {
  const { t } = useTranslation("account");
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

  /**
   * The forms inside belong to a screen of their own. Here their answers leave the page as it is.
   */
  function send(event: FormEvent<HTMLElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (!(event.target instanceof HTMLFormElement) || sent.state !== "idle") return;
    const entries = new FormData(event.target, submitter);
    void sent.submit(entries, { method: "post", action: screen, defaultShouldRevalidate: false });
  }

  if (!state || isProved) return null;
  return (
    <OverForm
      title={t("confirm.title")}
      onClose={onClose}
      onSubmit={send}
      isBusy={sent.state !== "idle"}
    >
      <ProofStep state={state} passkeys={passkeys} result={result} onDone={goOn} />
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

type ProofStepProps = Pick<ProofDialogProps, "passkeys"> & {
  state: ProofState;
  result: { errors: Record<string, string[]> } | undefined;
  onDone: () => void;
};

function ProofStep({ state, passkeys, result, onDone }: ProofStepProps) {
  const { t } = useTranslation("account");
  const { PasskeyStep, PasskeyOnlyStep } = passkeys;
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
