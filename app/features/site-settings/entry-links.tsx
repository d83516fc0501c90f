import { ButtonLink } from "../../ui/forms/button.tsx";
import { SupportLink } from "../../ui/text/support-link.tsx";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import type { LoginLink } from "./login-offer.ts";
import { TermsLinks } from "./terms-links.tsx";

type EntryLinksProps = {
  /** True while not everybody may create an account. */
  isSignUpClosed: boolean;
  /** What features offer to people without an account. */
  loginLinks: readonly LoginLink[];
  termsUrl: string | undefined;
  privacyUrl: string | undefined;
};

/**
 * Below the login form: that sign-up is closed, what is offered instead, and links to the terms and
 * the privacy policy.
 */
export function EntryLinks({ isSignUpClosed, loginLinks, ...links }: EntryLinksProps) {
  const { t } = useTranslation("login");
  const text = useText();
  const hasLinks = loginLinks.length > 0;
  return (
    <>
      {isSignUpClosed && (
        <div className="grid gap-3 border-t border-line pt-6">
          <p className="text-sm text-muted">
            {t("signUpClosed")} {!hasLinks && t("askForAccount")}
          </p>
          {!hasLinks && <SupportLink />}
          {loginLinks.map(({ to, label }) => (
            <ButtonLink key={to} variant="secondary" to={to}>
              {text(label)}
            </ButtonLink>
          ))}
        </div>
      )}
      <TermsLinks {...links} />
    </>
  );
}
