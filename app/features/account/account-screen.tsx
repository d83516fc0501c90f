import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { Avatar } from "../../ui/avatar.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { ConfirmDrawer } from "../../ui/confirm-drawer.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { type Build, BuildInformation } from "./build-information.tsx";

type AccountScreenProps = {
  user: { name: string; email: string; avatar: string | null };
  accountPath: string;
  /** Where the picture is changed; undefined where none are kept. */
  picturePath: string | undefined;
  build: Build;
  /** The choices of language and theme. */
  preferences: ReactNode;
  /** More of who somebody is, below name and address. */
  profile: ReactNode;
  /** The panels between who somebody is and how to leave. */
  children: ReactNode;
  /** How to leave for good. */
  leaving: ReactNode;
};

/** Everything a person owns here, in one place. */
export function AccountScreen(props: AccountScreenProps) {
  const { user, accountPath, picturePath, build, preferences, profile, children, leaving } = props;
  const { t } = useTranslation("account");
  const common = useTranslation().t;
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6">
      <h1 className="text-xl font-semibold">{t("title")}</h1>
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
            <Link to={picturePath} className={buttonClass("secondary")}>
              <Icon name="image-up" className="size-4" />
              {t("picture.change")}
            </Link>
          )}
          <Link
            to={`${accountPath}?state=change-name`}
            preventScrollReset
            className={buttonClass("secondary")}
          >
            <Icon name="pencil" className="size-4" />
            {t("name.change")}
          </Link>
        </div>
        {profile}
      </Panel>
      {children}
      <Panel title={t("preferences.title")} intro={t("preferences.intro")}>
        {preferences}
      </Panel>
      {leaving}
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
  );
}
