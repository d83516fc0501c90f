import type { ReactNode } from "react";
import { href } from "react-router";
import { Avatar } from "../../ui/avatar.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Closable, ClosableLink } from "../../ui/closed.tsx";
import { ConfirmDrawer } from "../../ui/confirm-drawer.tsx";
import { FormErrors } from "../../ui/form-errors.tsx";
import { Icon } from "../../ui/icon.tsx";
import { isolate } from "../../ui/isolate.ts";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { type Build, BuildInformation } from "./build-information.tsx";
import { DataPanel } from "./data-panel.tsx";
import { EmailForm } from "./email-form.tsx";
import type { AccountSearch } from "./input.ts";
import { NameDrawer } from "./name-drawer.tsx";
import { type OwnSession, SessionsPanel } from "./sessions-panel.tsx";

type ProfileProps = {
  user: { name: string; email: string; avatar: string | null };
  accountPath: string;
  /** Path of the screen that changes the picture; undefined without picture storage. */
  picturePath: string | undefined;
  /** New e-mail of a change that has not started or has expired. */
  newEmail: string;
  /** True when `?newEmail=` is not a valid e-mail. */
  isNewEmailIgnored: boolean;
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
};

type AccountScreenProps = ProfileProps & {
  /** True while a manager impersonates the user: nothing in the account can be changed. */
  isClosed: boolean;
  /** The drawer that the URL asks for. */
  state: AccountSearch["state"];
  dataPath: string;
  sessions: OwnSession[];
  now: Date;
  build: Build;
  /** Panels of other features: sign-in methods and preferences. */
  passkeysPanel: ReactNode;
  linkedAccountsPanel: ReactNode;
  preferenceChoices: ReactNode;
  deletionPanel: ReactNode;
};

/** Everything that a user owns, on one screen. */
export function AccountScreen(props: AccountScreenProps) {
  const { state, user, accountPath, dataPath, sessions, now, build, result, isClosed } = props;
  const { t } = useTranslation("account");
  const common = useTranslation().t;
  return (
    <>
      {state === "change-name" && !isClosed && (
        <NameDrawer name={user.name} accountPath={accountPath} result={result} />
      )}
      <div className="mx-auto grid w-full max-w-3xl gap-6">
        <h1 className="text-xl font-semibold">{t("title")}</h1>
        {/* While a change of the e-mail is pending, its form shows the errors. */}
        {!props.newEmail && <FormErrors errors={result?.errors[""]} />}
        {isClosed && (
          <Notice kind="info">{t("closed", { name: isolate(user.name || user.email) })}</Notice>
        )}
        <Closable isClosed={isClosed}>
          <ProfilePanel {...props} />
          {props.passkeysPanel}
          <SessionsPanel sessions={sessions} now={now} />
          {props.linkedAccountsPanel}
          <DataPanel path={dataPath} />
        </Closable>
        <Panel title={t("preferences.title")} intro={t("preferences.intro")}>
          {props.preferenceChoices}
        </Panel>
        <Closable isClosed={isClosed}>{props.deletionPanel}</Closable>
        <footer className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-4">
          <BuildInformation {...build} />
          <ConfirmDrawer
            action={href("/sign-out")}
            intent="sign-out"
            text={t("signOutText")}
            trigger={
              <>
                <Icon name="log-out" className="size-4 rtl:-scale-x-100" />
                {common("signOut")}
              </>
            }
          />
        </footer>
      </div>
    </>
  );
}

/** The user's picture, name and e-mail, with a control to change each. */
function ProfilePanel(props: ProfileProps) {
  const { user, accountPath, picturePath, newEmail, isNewEmailIgnored, result } = props;
  const { t } = useTranslation("account");
  return (
    <Panel title={t("profile")}>
      <div className="flex flex-wrap items-center gap-4">
        <Avatar {...user} size="lg" />
        <div className="grid min-w-0 grow basis-40 gap-1 wrap-anywhere">
          <p className="text-lg font-semibold">
            <bdi>{user.name}</bdi>
          </p>
          <p className="text-muted">
            <bdi>{user.email}</bdi>
          </p>
        </div>
        {picturePath && (
          <ClosableLink to={picturePath} className={buttonClass("secondary")}>
            <Icon name="image-up" className="size-4" />
            {t("picture.change")}
          </ClosableLink>
        )}
        <ClosableLink
          to={`${accountPath}?state=change-name`}
          preventScrollReset
          className={buttonClass("secondary")}
        >
          <Icon name="pencil" className="size-4" />
          {t("name.change")}
        </ClosableLink>
      </div>
      {isNewEmailIgnored && <Notice kind="warning">{t("email.ignored")}</Notice>}
      <EmailForm newEmail={newEmail} accountPath={accountPath} result={result} />
    </Panel>
  );
}
