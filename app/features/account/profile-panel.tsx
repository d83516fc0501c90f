import type { ReactNode } from "react";
import { ClosableLink } from "../../ui/feedback/closed.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { buttonClass } from "../../ui/forms/button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Avatar } from "../../ui/text/avatar.tsx";
import { EmailText } from "../../ui/text/email-text.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

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
  const { user, accountPath, picturePath, isNewEmailIgnored } = props;
  const { t } = useTranslation("account");
  return (
    <Panel title={t("sections.profile")}>
      <div className="grid gap-4 divide-y divide-line *:not-last:pb-4">
        <ProfileRow changeTo={picturePath} changeLabel={t("picture.change")}>
          <div className="flex min-w-0 items-center gap-4">
            <Avatar {...user} size="lg" />
            <div className="grid gap-0.5 text-sm text-muted">
              <p>{t("picture.label")}</p>
              {/* On a phone only the picture's own screen has room for it. */}
              <p className="max-sm:hidden">
                {t("picture.intro")} {!user.avatar && t("picture.initials")}
              </p>
            </div>
          </div>
        </ProfileRow>
        <ProfileRow
          changeTo={`${accountPath}?state=change-name`}
          changeLabel={t("name.change")}
          isInDrawer
        >
          <ProfileValue label={t("name.label")}>
            <bdi>{user.name}</bdi>
          </ProfileValue>
        </ProfileRow>
        <ProfileRow
          changeTo={`${accountPath}?state=change-email`}
          changeLabel={t("email.change")}
          isInDrawer
        >
          <ProfileValue label={t("email.current")}>
            <EmailText>{user.email}</EmailText>
          </ProfileValue>
        </ProfileRow>
      </div>
      {isNewEmailIgnored && <Notice kind="warning">{t("email.ignored")}</Notice>}
    </Panel>
  );
}

type ProfileRowProps = {
  /** Where the value is changed; undefined when it cannot be. */
  changeTo: string | undefined;
  changeLabel: string;
  /** True when a drawer changes it, over the screen as it is scrolled. */
  isInDrawer?: boolean;
  children: ReactNode;
};

/** A value of the profile, and at the end of its line the control that changes it. */
function ProfileRow({ changeTo, changeLabel, isInDrawer, children }: ProfileRowProps) {
  const { t } = useTranslation("account");
  return (
    <div className="flex items-center justify-between gap-4">
      {children}
      {changeTo && (
        <ClosableLink
          to={changeTo}
          preventScrollReset={isInDrawer}
          aria-label={changeLabel}
          className={buttonClass("secondary", "shrink-0", true)}
        >
          {t("change")}
        </ClosableLink>
      )}
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
