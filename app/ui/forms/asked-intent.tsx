import { createContext, type ReactNode, use } from "react";

const AskedContext = createContext<string | undefined>(undefined);

type AskedIntentProps = { value: string | undefined; children: ReactNode };

/** Makes known to the questions inside which of them is open from the start. */
export function AskedIntent({ value, children }: AskedIntentProps) {
  return <AskedContext value={value}>{children}</AskedContext>;
}

/** True when the question with this intent is open from the start. */
export function useIsAsked(intent: string): boolean {
  return use(AskedContext) === intent;
}
