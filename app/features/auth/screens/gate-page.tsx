import type { ReactNode } from "react";
import { useDocument } from "../../../ui/layout/document.tsx";
import { BrandMark } from "../../../ui/text/logo.tsx";
import { Gate, GateProvider } from "./gate.tsx";

type GatePageProps = {
  /** Number of lifted bars when the page opens. */
  lifted?: number;
  children: ReactNode;
};

/** Page of the sign-in: the picture of the gate, or the brand's logo, beside the content, or above it on a small screen. */
export function GatePage({ lifted, children }: GatePageProps) {
  const { logo } = useDocument().settings.brand;
  return (
    <GateProvider lifted={lifted}>
      <div className="gate-page grid min-h-dvh grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:grid-rows-1">
        <div
          // The logo of each theme is made for that theme's pages. The gate is drawn for a dark background.
          className={`relative h-28 overflow-hidden sm:h-48 lg:sticky lg:top-0 lg:order-last lg:h-dvh ${logo ? "bg-[color-mix(in_srgb,var(--color-accent)_12%,var(--color-page))]" : "bg-[color-mix(in_srgb,var(--color-accent)_36%,#000)]"}`}
        >
          {logo ? (
            <div className="grid h-full place-items-center">
              <BrandMark className="size-auto max-h-20 max-w-[70%] lg:max-h-40" />
            </div>
          ) : (
            <Gate className="absolute inset-x-0 -top-24 h-[30rem] w-full sm:-top-20 lg:top-0 lg:h-full" />
          )}
        </div>
        {children}
      </div>
    </GateProvider>
  );
}
