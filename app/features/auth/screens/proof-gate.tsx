import { type ComponentType, useEffect, useState } from "react";
import { announceUnsent } from "../../../http/lost-network.ts";
import { UNPROVED, type Unproved } from "../../../http/unproved.ts";

export type ProofDialogProps = {
  asked: Unproved;
  /** Screen that asks for a proof, which answers the dialog too. */
  path: string;
  /** How a passkey is asked for. */
  passkeys: {
    PasskeyStep: ComponentType<{ kind: "confirm"; onDone: () => void }>;
    PasskeyOnlyStep: ComponentType<{ onDone: () => void }>;
  };
  onClose: () => void;
};

type Loaded = [{ ProofDialog: ComponentType<ProofDialogProps> }, ProofDialogProps["passkeys"]];

type ProofGateProps = {
  path: string;
  /** Loads the dialog when it is opened. */
  load: () => Promise<Loaded>;
};

/** Asks for a proof of identity over the form that needs one. */
export function ProofGate({ path, load }: ProofGateProps) {
  const [dialog, setDialog] = useState<ProofDialogProps & Loaded[0]>();

  // Outside React: the forms of the page. Without the dialog nothing was sent, and the form stays.
  useEffect(() => {
    const onClose = () => setDialog(undefined);
    const ask = (event: Event) => {
      if (!(event instanceof CustomEvent)) return;
      const asked: Unproved = event.detail;
      load().then(
        ([{ ProofDialog }, passkeys]) => setDialog({ ProofDialog, passkeys, asked, path, onClose }),
        () => announceUnsent("network"),
      );
    };
    addEventListener(UNPROVED, ask);
    return () => removeEventListener(UNPROVED, ask);
  }, [path, load]);

  if (!dialog) return null;
  const { ProofDialog, ...props } = dialog;
  return <ProofDialog {...props} />;
}
