import { useState } from "react";
import { Button } from "../../ui/forms/button.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { Message } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { usePasskeySupport } from "./passkey-support.ts";

type PasskeyStepProps = {
  kind: "confirm" | "add";
  /** Page to load afterwards. */
  next: string;
};

/** Button that proves the session by a passkey, or adds a passkey, and goes on. It needs JavaScript. */
export function PasskeyStep({ kind, next }: PasskeyStepProps) {
  const { t } = useTranslation("account");
  const isSupported = usePasskeySupport();
  const [isBusy, setIsBusy] = useState(false);
  const [code, setCode] = useState<string>();

  async function press() {
    setIsBusy(true);
    setCode(undefined);
    const client = await import("./passkey-client.ts").catch(() => undefined);
    const outcome = await client?.[kind]();
    if (outcome?.ok) {
      location.assign(next);
      return;
    }
    setIsBusy(false);
    setCode(outcome ? outcome.code : "UNKNOWN_ERROR");
  }

  return (
    <div className="grid gap-3">
      {isSupported !== false && (
        <Button
          type="button"
          isBusy={isBusy}
          onClick={press}
          className={isSupported ? "" : "invisible noscript:hidden"}
        >
          <Icon name="fingerprint-pattern" className="size-4" />
          {t(kind === "add" ? "passkeys.add" : "passkeys.confirm")}
        </Button>
      )}
      <p role="alert" className="text-sm text-danger empty:hidden">
        {code && <Message value={`codes:${code}`} />}
        {isSupported === false && t("passkeys.unsupported")}
      </p>
      <noscript>
        <p className="text-sm text-danger">{t("passkeys.unsupported")}</p>
      </noscript>
    </div>
  );
}
