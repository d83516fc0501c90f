import { createContext, type ReactNode, use, useMemo } from "react";

const AskedContext = createContext<string | undefined>(undefined);

/** Makes known to the questions inside which of them is open from the start. */
export function AskedIntent({
  value,
  children,
}: {
  value: string | undefined;
  children: ReactNode;
}) {
  return <AskedContext value={value}>{children}</AskedContext>;
}

/** Returns an object when the question with this intent is open from the start; always the same one. */
export function useAsked(intent: string): object | undefined {
  const isAsked = use(AskedContext) === intent;
  return useMemo(() => (isAsked ? {} : undefined), [isAsked]);
}
