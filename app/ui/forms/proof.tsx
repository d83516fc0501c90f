import { createContext, type ReactNode, use } from "react";
import { useLocation, useSearchParams } from "react-router";
import { useTranslation } from "../text/translation.tsx";
import { AskedIntent } from "./asked-intent.tsx";
import { buttonClass } from "./button.tsx";

type Proof = {
  /** Screen that asks for a proof. */
  path: string;
  /** True when the last proof of identity is too old, or soon will be. */
  isDue: boolean;
};

const ProofContext = createContext<Proof>({ path: "", isDue: false });

type ProofScopeProps = Proof & { children: ReactNode };

/** Tells the forms inside whether a proof is due, and which question was open before it. */
export function ProofScope({ path, isDue, children }: ProofScopeProps) {
  const [search] = useSearchParams();
  return (
    <ProofContext value={{ path, isDue }}>
      <AskedIntent value={search.get("asked") ?? undefined}>{children}</AskedIntent>
    </ProofContext>
  );
}

type ProofFirstProps = {
  /** The question that is open afterwards. */
  intent?: string;
  /** True in the form of a list's chosen rows, which are sent along and chosen again afterwards. */
  isInForm?: boolean;
};

/**
 * Offers the proof before a form is filled, without JavaScript: sending the form leads to the
 * screen that asks for a proof, and what was typed is gone. With JavaScript it is asked for over
 * the form.
 */
export function ProofFirst(props: ProofFirstProps) {
  if (!use(ProofContext).isDue) return null;
  // React leaves the inside to the server, so the browser's bundle leaves its code out.
  return <noscript>{import.meta.env.SSR && <ProofOffer {...props} />}</noscript>;
}

function ProofOffer({ intent, isInForm = false }: ProofFirstProps) {
  const { t } = useTranslation();
  const { path } = use(ProofContext);
  const { pathname, search } = useLocation();
  const here = pathname + (isInForm ? search : withAsked(search, intent));
  return (
    <div className="grid justify-items-start gap-3">
      <p>{t("proof.first")}</p>
      {isInForm ? (
        <>
          <input type="hidden" name="next" value={here} />
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
      ) : (
        <a href={`${path}?${new URLSearchParams({ next: here })}`} className={buttonClass()}>
          {t("proof.confirm")}
        </a>
      )}
    </div>
  );
}

function withAsked(search: string, intent: string | undefined): string {
  if (!intent) return search;
  const params = new URLSearchParams(search);
  params.set("asked", intent);
  return `?${params}`;
}
