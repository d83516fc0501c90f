import type { ReactNode } from "react";
import { useDocument } from "../../../ui/layout/document.tsx";
import { BrandMark } from "../../../ui/text/logo.tsx";
import { Gate, GateProvider } from "./gate.tsx";

type GatePageProps = {
  /** Height of the sun when the page opens, in digits of the code. */
  risen?: number;
  children: ReactNode;
};

/**
 * Page of the sign-in. Beside the content, or above it on a small screen, is the brand's picture,
 * or its logo on a gradient of its accent, or the open gate.
 */
export function GatePage({ risen, children }: GatePageProps) {
  const { logo, loginPicture } = useDocument().settings.brand;
  return (
    <GateProvider risen={risen}>
      <div className="gate-page">
        <div className="gate-side">
          {loginPicture ? (
            <img alt="" src={loginPicture} className="gate-picture" />
          ) : logo ? (
            <BrandMark className="" />
          ) : (
            <Gate />
          )}
        </div>
        {children}
      </div>
    </GateProvider>
  );
}
