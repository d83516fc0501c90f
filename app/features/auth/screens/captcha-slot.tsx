import { type ComponentType, lazy, Suspense } from "react";

/** If its code cannot be loaded, no token is sent and the server reports the missing captcha. */
const Captcha = lazy<ComponentType<{ siteKey: string }>>(() =>
  import("./captcha.tsx").catch(() => ({ default: () => null })),
);

/** The captcha, when one is configured. Its code is loaded only then. */
export function CaptchaSlot({ siteKey }: { siteKey: string | undefined }) {
  return siteKey ? (
    <Suspense>
      <Captcha siteKey={siteKey} />
    </Suspense>
  ) : null;
}

/** True when a form was refused for want of a solved captcha: it is asked only after the first few codes of an hour. */
export function asksCaptcha(errors: string[] | undefined): boolean {
  return ["codes:MISSING_RESPONSE", "codes:VERIFICATION_FAILED", "codes:SERVICE_UNAVAILABLE"].some(
    (code) => errors?.includes(code),
  );
}
