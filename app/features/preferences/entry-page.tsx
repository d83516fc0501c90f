import type { ReactNode } from "react";
import { Logo } from "../../ui/text/logo.tsx";
import { PreferencesMenu } from "./preferences-menu.tsx";

/** Content of a page outside the product's areas, beside the gate: logo, menu of language and theme, and the screen. */
export function EntryPage({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col px-6 pb-8 lg:px-12">
      <header className="mx-auto flex min-h-16 w-full max-w-sm items-center justify-between gap-4">
        <Logo />
        {/* Aligns the last icon, not its button, with the end of the form. */}
        <div className="-me-2.5 flex shrink-0">
          <PreferencesMenu />
        </div>
      </header>
      {/* The title has one height, so that it does not jump from step to step. */}
      <main className="mx-auto grid w-full max-w-sm grow content-start gap-6 py-8 lg:pt-[max(2rem,calc(38dvh-11rem))]">
        {children}
      </main>
    </div>
  );
}
