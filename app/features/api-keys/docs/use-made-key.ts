import { useEffect, useState } from "react";
import { forgetMadeKey, madeKey } from "../made-key.ts";

/** Returns the key that was made on the screen before this one, which is then forgotten. */
export function useMadeKey(): string | undefined {
  const [made] = useState(madeKey);
  // What outlives the page is not React's.
  useEffect(forgetMadeKey, []);
  return made;
}
