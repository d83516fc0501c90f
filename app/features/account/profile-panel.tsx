import type { ReactNode } from "react";
import { Avatar } from "../../ui/avatar.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { ClosableLink } from "../../ui/closed.tsx";
import { EmailText } from "../../ui/email-text.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { EmailForm } from "./email-form.tsx";
import { profileRowClass } from "./profile-row.ts";

export type ProfileProps = {
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

/** The user's picture, name and e-mail, with a control to change each. */
export function ProfilePanel(props: ProfileProps) {
  const { user, accountPath, picturePath, newEmail, isNewEmailIgnored, result } = props;
  const { t } = useTranslation("account");
  return (
    <Panel title={t("sections.profile")}>
      <div className="grid gap-4 divide-y divide-line *:not-last:pb-4">
        <ProfileRow
          action={
            picturePath && (
              <ClosableLink
                to={picturePath}
                aria-label={t("picture.change")}
                className={buttonClass("secondary", "shrink-0", true)}
              >
                {t("change")}
              </ClosableLink>
            )
          }
        >
          <div className="flex min-w-0 items-center gap-4">
            <Avatar {...user} size="lg" />
            <div className="grid gap-0.5 text-sm text-muted">
              <p>{t("picture.label")}</p>
              <p>{t("picture.intro")}</p>
            </div>
          </div>
        </ProfileRow>
        <ProfileRow
          action={
            <ClosableLink
              to={`${accountPath}?state=change-name`}
              preventScrollReset
              aria-label={t("name.change")}
              className={buttonClass("secondary", "shrink-0", true)}
            >
              {t("change")}
            </ClosableLink>
          }
        >
          <ProfileValue label={t("name.label")}>
            <bdi>{user.name}</bdi>
          </ProfileValue>
        </ProfileRow>
        <EmailForm newEmail={newEmail} accountPath={accountPath} result={result}>
          <ProfileValue label={t("email.current")}>
            <EmailText>{user.email}</EmailText>
          </ProfileValue>
        </EmailForm>
      </div>
      {isNewEmailIgnored && <Notice kind="warning">{t("email.ignored")}</Notice>}
    </Panel>
  );
}

/** A value of the profile, and the control that changes it at the end of the line. */
function ProfileRow({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <div className={profileRowClass}>
      {children}
      {action}
    </div>
  );
}

function ProfileValue({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="grid min-w-0 grow gap-0.5 wrap-anywhere">
      <span className="text-sm text-muted">{label}</span>
      <span className="font-medium">{children}</span>
    </span>
  );
}
