import { useEffect, useState } from "react";
import { forgetMadeKey, madeKey } from "../made-key.ts";

/** Returns the key that was made on the screen before this one, which is then forgotten. */
export function useMadeKey(): string | undefined {
  const [made] = useState(madeKey);
  // Outside React: the memory of the tab, which outlives the page.
  useEffect(forgetMadeKey, []);
  return made;
}
