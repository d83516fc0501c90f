import type { ReactNode } from "react";

import { Form, href } from "react-router";
import { Closable } from "../../ui/feedback/closed.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";

import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { AccountSection, AccountSections } from "./account-sections.tsx";
import { DataPanel } from "./data-panel.tsx";
import { EmailDrawer } from "./email-drawer.tsx";
import type { AccountSearch } from "./input.ts";
import { NameDrawer } from "./name-drawer.tsx";
import { ProfilePanel, type ProfileProps } from "./profile-panel.tsx";
import { type OwnSession, SessionsPanel } from "./sessions-panel.tsx";

type AccountScreenProps = ProfileProps & {
  /** True while a manager impersonates the user: nothing in the account can be changed. */
  isClosed: boolean;
  state: AccountSearch["state"];
  dataPath: string;
  sessions: OwnSession[];
  sessionCount: number;
  now: Date;
  /** Panels of other features: sign-in methods and preferences. */
  passkeysPanel: ReactNode;
  /** What features draw at the end of the part about security. */
  panels: ReactNode;
  linkedAccountsPanel: ReactNode;
  preferenceChoices: ReactNode;
  deletionPanel: ReactNode;
};

/** Everything that a user owns, on one screen. */
export function AccountScreen(props: AccountScreenProps) {
  const { state, user, accountPath, newEmail, sessions, now, result, isClosed } = props;
  const { t } = useTranslation("account");
  const common = useTranslation().t;
  const hasEmailDrawer = (state === "change-email" || newEmail !== "") && !isClosed;
  return (
    <>
      {state === "change-name" && !isClosed && (
        <NameDrawer name={user.name} accountPath={accountPath} result={result} />
      )}
      {hasEmailDrawer && (
        <EmailDrawer accountPath={accountPath} newEmail={newEmail} result={result} />
      )}
      {/* No grid on a phone, where the line of links could not stay in view beyond its row. */}
      <div className="mx-auto flex w-full max-w-6xl flex-col gap-x-10 gap-y-6 lg:grid lg:grid-cols-[11rem_minmax(0,1fr)]">
        <div className="lg:col-span-2">
          <ScreenHeader title={t("title")} />
        </div>
        <AccountSections isClosed={isClosed} />
        <div className="grid min-w-0 gap-6">
          {/* The drawers show these errors themselves. */}
          {!hasEmailDrawer && state !== "change-name" && <FormErrors errors={result?.errors[""]} />}
          {isClosed && (
            <Notice kind="info">
              <WithOwnText text={(name) => t("closed", { name })} value={user.name || user.email} />
            </Notice>
          )}
          <Closable isClosed={isClosed}>
            <AccountSection id="profile">
              <ProfilePanel {...props} />
            </AccountSection>
            <AccountSection id="security">
              {props.passkeysPanel}
              {props.linkedAccountsPanel}
              {props.panels}
            </AccountSection>
            <AccountSection id="devices">
              <SessionsPanel sessions={sessions} count={props.sessionCount} now={now} />
            </AccountSection>
          </Closable>
          <AccountSection id="preferences">
            <Panel title={t("sections.preferences")} intro={t("preferences.intro")}>
              {props.preferenceChoices}
            </Panel>
          </AccountSection>
          <Closable isClosed={isClosed}>
            <AccountSection id="data">
              <DataPanel path={props.dataPath} />
            </AccountSection>
            <AccountSection id="danger">{props.deletionPanel}</AccountSection>
          </Closable>
          <footer className="flex justify-end border-t border-line pt-4">
            <Form method="post" action={href("/sign-out")}>
              <Button variant="secondary">
                <Icon name="log-out" className="size-4" />
                {common("signOut")}
              </Button>
            </Form>
          </footer>
        </div>
      </div>
    </>
  );
}
