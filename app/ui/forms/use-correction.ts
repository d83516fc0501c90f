import { useState } from "react";

/**
 * Returns the errors of a field until its value changes, because they are about the sent value, and
 * the handler that notices the change. The next answer brings new errors.
 */
export function useCorrection<Errors>(errors: Errors) {
  const [corrected, setCorrected] = useState<Errors>();
  return {
    shown: errors === corrected ? undefined : errors,
    onInput: () => setCorrected(() => errors),
  };
}
