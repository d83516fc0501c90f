import type { ReactNode } from "react";
import { useDocument } from "../../../ui/layout/document.tsx";
import { BrandMark } from "../../../ui/text/logo.tsx";
import { Gate, GateProvider } from "./gate.tsx";

type GatePageProps = {
  /** Number of lifted bars when the page opens. */
  lifted?: number;
  children: ReactNode;
};

/**
 * Page of the sign-in: the picture of the gate, or the brand's logo, beside the content, or above it on a small screen.
 */
export function GatePage({ lifted, children }: GatePageProps) {
  const { logo } = useDocument().settings.brand;
  return (
    <GateProvider lifted={lifted}>
      <div className="gate-page">
        <div className="gate-side">{logo ? <BrandMark className="" /> : <Gate />}</div>
        {children}
      </div>
    </GateProvider>
  );
}
