import type { ReactNode } from "react";
import { Gate, GateProvider } from "./gate.tsx";

type GatePageProps = {
  /** Number of lifted bars when the page opens. */
  lifted?: number;
  children: ReactNode;
};

/** Page of the sign-in: the picture of the gate beside the content, or above it on a small screen. */
export function GatePage({ lifted, children }: GatePageProps) {
  return (
    <GateProvider lifted={lifted}>
      <div className="gate-page grid min-h-dvh grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:grid-rows-1">
        <div className="relative h-28 overflow-hidden bg-[#3d1146] sm:h-48 lg:sticky lg:top-0 lg:order-last lg:h-dvh">
          <Gate className="absolute inset-x-0 -top-24 h-[30rem] w-full sm:-top-20 lg:top-0 lg:h-full" />
        </div>
        {children}
      </div>
    </GateProvider>
  );
}
