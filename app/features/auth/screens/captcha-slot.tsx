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
