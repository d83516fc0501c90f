import { createContext, type ReactNode, use, useEffect, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { MessageReference } from "../text/message.tsx";
import { useTranslation } from "../text/translation.tsx";
import { AskedIntent } from "./asked-intent.tsx";
import { buttonClass } from "./button.tsx";

/** Error of a form that was sent too long after the last proof of identity. */
export const PROOF_REQUIRED = "codes:FRESH_PROOF_REQUIRED";

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
  /** The layout's data, a new object for each load: the time begins anew with it. */
  start: unknown;
  children: ReactNode;
};

/**
 * Makes known to the questions inside whether the user must prove who they are first, and which was
 * open before a proof.
 */
export function ProofAge({ path, validMs, start, children }: ProofAgeProps) {
  // Kept with its start, so that a form that is drawn right after a proof does not see the time before it.
  const [over, setOver] = useState<unknown>();
  // Outside React: the clock.
  useEffect(() => {
    const timer = setTimeout(() => setOver(start), validMs);
    return () => clearTimeout(timer);
  }, [validMs, start]);
  const [search] = useSearchParams();
  return (
    <ProofContext value={{ path, isMissing: over === start || validMs <= 0 }}>
      <AskedIntent value={search.get("asked") ?? undefined}>{children}</AskedIntent>
    </ProofContext>
  );
}

/** True when the user must prove who they are before a question that needs it. */
export function useIsProofMissing(): boolean {
  return use(ProofContext).isMissing;
}

type ProofLinkProps = {
  isInNewTab?: boolean;
  /** The question that is open afterwards. */
  intent?: string;
};

function withAsked(search: string, intent: string | undefined): string {
  if (!intent) return search;
  const params = new URLSearchParams(search);
  params.set("asked", intent);
  return `?${params}`;
}

/** A link to the screen that asks for a proof and leads back here. In a new tab, what was typed stays. */
export function ProofLink({ isInNewTab = false, intent }: ProofLinkProps) {
  const { t } = useTranslation();
  const { path } = use(ProofContext);
  const { pathname, search } = useLocation();
  return (
    <a
      href={`${path}?${new URLSearchParams({ next: pathname + withAsked(search, intent) })}`}
      target={isInNewTab ? "_blank" : undefined}
      className={buttonClass(isInNewTab ? "secondary" : "primary")}
    >
      {t("proof.confirm")}
    </a>
  );
}

type ProofNoticeProps = {
  errors: MessageReference[] | undefined;
};

/**
 * Asks for a proof above a form that needs one: before it is filled, or after it was sent too late, when what was typed
 * stays.
 */
export function ProofNotice({ errors }: ProofNoticeProps) {
  const { t } = useTranslation();
  // Not while the form is open: it would move under the hands of a user who types.
  const [wasMissing] = useState(useIsProofMissing());
  const isRefused = errors?.includes(PROOF_REQUIRED) ?? false;
  if (!wasMissing && !isRefused) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      {!isRefused && <p>{t("proof.first")}</p>}
      <ProofLink isInNewTab={isRefused} />
    </div>
  );
}

/**
 * Leads to the screen that asks for a proof and back to the open question. In the form of chosen
 * rows it is a button: it sends them along, also without JavaScript, and they are chosen again
 * afterwards.
 */
export function ProofControl({ intent, isInForm }: { intent: string; isInForm: boolean }) {
  const { t } = useTranslation();
  const { path } = use(ProofContext);
  const { pathname, search } = useLocation();
  if (!isInForm) return <ProofLink intent={intent} />;
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
