import type { DemonstrationLogin } from "./feature.ui.ts";
import { demoLogin } from "./features/demo/login.tsx";
import { useDocument } from "./ui/layout/document.tsx";

/**
 * What features draw in the pages of the sign-in of a demonstration. It stands apart, so those
 * pages load no panels.
 */
const DEMONSTRATIONS: Readonly<Record<string, DemonstrationLogin>> = {
  demo: demoLogin,
};

/** Returns what the pages of the sign-in show of a demonstration; undefined in any other environment. */
export function useDemonstration(): DemonstrationLogin | undefined {
  const { isDemo } = useDocument().settings;
  return isDemo ? Object.values(DEMONSTRATIONS)[0] : undefined;
}
