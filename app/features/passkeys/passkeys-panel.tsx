import { ClosableLink } from "../../ui/feedback/closed.tsx";
import { buttonClass } from "../../ui/forms/button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { Dotted } from "../../ui/text/dotted.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { Message } from "../../ui/text/message.tsx";
import { RecentDay, RelativeTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { usePasskeySupport } from "./passkey-support.ts";

type OwnPasskey = {
  id: string;
  name: string | null;
  backedUp: boolean;
  createdAt: Date | null;
  lastUsedAt: Date | null;
};

type PasskeysPanelProps = {
  passkeys: OwnPasskey[];
  now: Date;
  accountPath: string;
  canAdd: boolean;
};

/** The user's passkeys, with adding, renaming and removing. */
export function PasskeysPanel({ passkeys, now, accountPath, canAdd }: PasskeysPanelProps) {
  const { t } = useTranslation("account");
  const isSupported = usePasskeySupport();
  return (
    <Panel
      title={t("passkeys.title")}
      intro={t("passkeys.intro")}
      action={
        canAdd && (
          <ClosableLink
            to={`${accountPath}?state=add-passkey`}
            preventScrollReset
            className={buttonClass(
              "secondary",
              isSupported ? "" : "invisible noscript:hidden",
              true,
            )}
          >
            <Icon name="plus" className="size-4" />
            {t("passkeys.add")}
          </ClosableLink>
        )
      }
    >
      {passkeys.length === 0 && <p className="text-sm text-muted">{t("passkeys.empty")}</p>}
      {!canAdd && (
        <p className="text-sm text-muted">
          <Message value="codes:TOO_MANY_PASSKEYS" />
        </p>
      )}
      {passkeys.length > 0 && (
        <ul className="grid divide-y divide-line">
          {passkeys.map((passkey) => (
            <Passkey key={passkey.id} passkey={passkey} now={now} accountPath={accountPath} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Passkey({
  passkey,
  now,
  accountPath,
}: {
  passkey: OwnPasskey;
  now: Date;
  accountPath: string;
}) {
  const { t } = useTranslation("account");
  const name = passkey.name ?? t("passkeys.title");
  const ofWhich = (
    <span className="sr-only">
      <bdi>{name}</bdi>
    </span>
  );
  return (
    <li className="flex flex-wrap items-center gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <Icon name="fingerprint-pattern" className="size-5 shrink-0 text-muted" />
      <div className="grid min-w-0 grow basis-40 gap-1 wrap-anywhere">
        <span className="font-medium">
          <bdi>{name}</bdi>
        </span>
        <span className="text-muted">
          {t(passkey.backedUp ? "passkeys.synced" : "passkeys.oneDevice")}
        </span>
        <span className="text-muted">
          <Dotted>
            {passkey.createdAt && (
              <span>
                {t("passkeys.added")} <RecentDay date={passkey.createdAt} now={now} />
              </span>
            )}
            {passkey.lastUsedAt ? (
              <span>
                {t("passkeys.lastUsed")} <RelativeTime date={passkey.lastUsedAt} now={now} />
              </span>
            ) : (
              t("passkeys.notUsed")
            )}
          </Dotted>
        </span>
      </div>
      <div className="flex flex-wrap gap-3 max-sm:ps-8">
        <ClosableLink
          to={`${accountPath}?${new URLSearchParams({ state: "rename-passkey", passkey: passkey.id })}`}
          preventScrollReset
          className={buttonClass("secondary", "", true)}
        >
          {t("passkeys.rename")} {ofWhich}
        </ClosableLink>
        <ConfirmDrawer
          action={accountPath}
          intent="remove-passkey"
          isDestructive
          text={
            <WithOwnText text={(value) => t("passkeys.removeText", { name: value })} value={name} />
          }
          trigger={
            <>
              {t("passkeys.remove")} {ofWhich}
            </>
          }
        >
          <input type="hidden" name="passkey" value={passkey.id} />
        </ConfirmDrawer>
      </div>
    </li>
  );
}
