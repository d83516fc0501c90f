import { type ComponentType, lazy, Suspense } from "react";

/** Without its code there is no answer to send, and the server says what is missing. */
const Captcha = lazy<ComponentType<{ siteKey: string }>>(() =>
  import("./captcha.tsx").catch(() => ({ default: () => null })),
);

/** The captcha where one is configured; its code is only loaded there. */
export function CaptchaSlot({ siteKey }: { siteKey: string | undefined }) {
  return siteKey ? (
    <Suspense>
      <Captcha siteKey={siteKey} />
    </Suspense>
  ) : null;
}
