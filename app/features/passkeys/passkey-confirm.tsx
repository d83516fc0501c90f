import { useState } from "react";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { panelClass } from "../../ui/layout/panel.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../ui/layout/single-column.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { Message } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { usePasskeySupport } from "./passkey-support.ts";

type PasskeyOnlyProps = { title: string; next: string; cancelTo: string };

/** A screen that takes no proof but a passkey. */
export function PasskeyOnly({ title, next, cancelTo }: PasskeyOnlyProps) {
  const common = useTranslation().t;
  return (
    <SingleColumn isNarrow>
      <ScreenTitle>{title}</ScreenTitle>
      <ScreenHeader title={title} />
      <div className={`grid gap-6 ${panelClass}`}>
        <PasskeyOnlyStep onDone={() => location.assign(next)} />
        <ButtonLink variant="secondary" to={cancelTo}>
          {common("actions.cancel")}
        </ButtonLink>
      </div>
    </SingleColumn>
  );
}

export function PasskeyOnlyStep({ onDone }: Pick<PasskeyStepProps, "onDone">) {
  const { t } = useTranslation("account");
  return (
    <>
      <p className="text-sm text-muted">{t("confirm.onlyPasskey")}</p>
      <PasskeyStep kind="confirm" onDone={onDone} />
      <p className="text-sm text-muted">{t("confirm.lostPasskey")}</p>
    </>
  );
}

type PasskeyStepProps = {
  kind: "confirm" | "add";
  onDone: () => void;
};

/** Button that proves the session by a passkey, or adds a passkey, and goes on. It needs JavaScript. */
export function PasskeyStep({ kind, onDone }: PasskeyStepProps) {
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
      onDone();
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
