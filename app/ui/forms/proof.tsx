import { createContext, type ReactNode, use, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useTranslation } from "../text/translation.tsx";
import { buttonClass } from "./button.tsx";

type Proof = {
  /** Screen that asks for a proof. */
  path: string;
  isMissing: boolean;
};

const ProofContext = createContext<Proof>({ path: "", isMissing: false });

type ProofAgeProps = {
  path: string;
  /** Milliseconds until the last proof of identity is too old to begin a form; zero when it is. */
  validMs: number;
  children: ReactNode;
};

/** Makes known to the questions inside whether the user must prove who they are first. */
export function ProofAge({ path, validMs, children }: ProofAgeProps) {
  const [isOver, setIsOver] = useState(false);
  // Outside React: the clock.
  useEffect(() => {
    setIsOver(false);
    const timer = setTimeout(() => setIsOver(true), validMs);
    return () => clearTimeout(timer);
  }, [validMs]);
  return (
    <ProofContext value={{ path, isMissing: isOver || validMs <= 0 }}>{children}</ProofContext>
  );
}

/** True when the user must prove who they are before a question that needs it. */
export function useIsProofMissing(): boolean {
  return use(ProofContext).isMissing;
}

/** A link to the screen that asks for a proof and leads back here. In a new tab, what was typed stays. */
export function ProofLink({ isInNewTab = false }: { isInNewTab?: boolean }) {
  const { t } = useTranslation();
  const { path } = use(ProofContext);
  const { pathname, search } = useLocation();
  return (
    <a
      href={`${path}?${new URLSearchParams({ next: pathname + search })}`}
      target={isInNewTab ? "_blank" : undefined}
      className={buttonClass(isInNewTab ? "secondary" : "primary")}
    >
      {t("proof.confirm")}
    </a>
  );
}

/**
 * Leads to the screen that asks for a proof and back here. With an intent it is a button of the form of chosen rows: it
 * sends them along, also without JavaScript, and they are chosen again afterwards.
 */
export function ProofControl({ intent }: { intent: string | undefined }) {
  const { t } = useTranslation();
  const { path } = use(ProofContext);
  const { pathname, search } = useLocation();
  if (!intent) return <ProofLink />;
  return (
    <>
      <input type="hidden" name="next" value={pathname + search} />
      <button
        type="submit"
        formMethod="get"
        formAction={path}
        name="asked"
        value={intent}
        className={buttonClass()}
      >
        {t("proof.confirm")}
      </button>
    </>
  );
}
