import { href } from "react-router";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { SupportLink } from "../../ui/text/support-link.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { TermsLinks } from "./terms-links.tsx";

type EntryLinksProps = {
  /** True while not everybody may create an account. */
  isSignUpClosed: boolean;
  hasWaitingList: boolean;
  termsUrl: string | undefined;
  privacyUrl: string | undefined;
};

/** Below the login form: that sign-up is closed, and links to the waiting list, the terms and the privacy policy. */
export function EntryLinks({ isSignUpClosed, hasWaitingList, ...links }: EntryLinksProps) {
  const { t } = useTranslation("login");
  return (
    <>
      {isSignUpClosed && (
        <div className="grid gap-3 border-t border-line pt-6">
          <p className="text-sm text-muted">
            {t("signUpClosed")} {!hasWaitingList && t("askForAccount")}
          </p>
          {!hasWaitingList && <SupportLink />}
          {hasWaitingList && (
            <ButtonLink variant="secondary" to={href("/login/waiting-list")}>
              {t("waitingList.join")}
            </ButtonLink>
          )}
        </div>
      )}
      <TermsLinks {...links} />
    </>
  );
}
