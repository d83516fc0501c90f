import { useState } from "react";
import { useNavigate } from "react-router";
import { proveFirst } from "../../http/unproved.ts";
import { Button } from "../../ui/forms/button.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Drawer, DrawerActions, DrawerForm } from "../../ui/overlays/drawer.tsx";
import { Message } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { NAME_MAX_LENGTH } from "../../values/limits.ts";
import { usePasskeySupport } from "./passkey-support.ts";

type PasskeyDrawerProps = {
  state: string;
  /** The passkey in the URL, when it belongs to the reader. */
  passkey: { id: string; name: string | null } | undefined;
  accountPath: string;
  result: NamePasskeyDrawerProps["result"];
};

/** The passkey drawer that the URL asks for, if any. */
export function PasskeyDrawer({ state, passkey, accountPath, result }: PasskeyDrawerProps) {
  if (state === "add-passkey") return <AddPasskeyDrawer accountPath={accountPath} />;
  const isNew = state === "name-passkey";
  if (!passkey || (!isNew && state !== "rename-passkey")) return null;
  return (
    <NamePasskeyDrawer passkey={passkey} isNew={isNew} accountPath={accountPath} result={result} />
  );
}

/** "Add a passkey": explains what happens, then starts the browser's prompt. */
function AddPasskeyDrawer({ accountPath }: { accountPath: string }) {
  const { t } = useTranslation("account");
  const navigate = useNavigate();
  const isSupported = usePasskeySupport();
  const [isBusy, setIsBusy] = useState(false);
  const [code, setCode] = useState<string>();

  async function press() {
    setIsBusy(true);
    setCode(undefined);
    const client = await import("./passkey-client.ts").catch(() => undefined);
    const added = await client?.add();
    setIsBusy(false);
    if (added?.ok) {
      const search = new URLSearchParams({ state: "name-passkey", passkey: added.id });
      await navigate(`${accountPath}?${search}`, { replace: true, preventScrollReset: true });
    } else if (added?.code === "SESSION_EXPIRED") {
      proveFirst(press);
    } else {
      setCode(added ? added.code : "UNKNOWN_ERROR");
    }
  }

  return (
    <Drawer title={t("passkeys.add")} intro={t("passkeys.addText")} closeTo={accountPath}>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {code && <Message value={`codes:${code}`} />}
        {isSupported === false && t("passkeys.unsupported")}
      </p>
      <noscript>
        <p className="text-sm text-danger">{t("passkeys.unsupported")}</p>
      </noscript>
      <DrawerActions closeTo={accountPath}>
        {isSupported !== false && (
          <Button
            // A new button, because React moves the focus to a button only when it is made.
            key={`${isSupported}`}
            type="button"
            isBusy={isBusy}
            onClick={press}
            autoFocus={isSupported}
            className={isSupported ? "" : "invisible noscript:hidden"}
          >
            {t("passkeys.continue")}
          </Button>
        )}
      </DrawerActions>
    </Drawer>
  );
}

type NamePasskeyDrawerProps = {
  passkey: { id: string; name: string | null };
  isNew: boolean;
  accountPath: string;
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
};

/** The drawer "Name your passkey", for a new or existing passkey. */
function NamePasskeyDrawer({ passkey, isNew, accountPath, result }: NamePasskeyDrawerProps) {
  const { t } = useTranslation("account");
  return (
    <DrawerForm
      title={t("passkeys.nameTitle")}
      intro={isNew ? t("passkeys.ready") : undefined}
      intent="rename-passkey"
      // A new passkey already has a name, which stays.
      cancel={isNew ? t("passkeys.skip") : undefined}
      closeTo={accountPath}
      result={result}
    >
      <input type="hidden" name="passkey" value={passkey.id} />
      <TextField
        name="passkeyName"
        label={t("passkeys.nameLabel")}
        autoComplete="off"
        dir="auto"
        maxLength={NAME_MAX_LENGTH}
        defaultValue={result?.values.passkeyName ?? passkey.name ?? ""}
        errors={result?.errors.passkeyName}
        autoFocus
        required
      />
    </DrawerForm>
  );
}
