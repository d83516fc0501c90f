import { useLocation } from "react-router";
import { SwitchAccount } from "../layout/switch-account.tsx";
import { EmailSentence } from "../text/email-text.tsx";
import { useTranslation } from "../text/translation.tsx";

/** Offers a user who may not open a page to sign in with another account. */
export function OtherAccount({ email }: { email: string }) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  return (
    <div className="grid w-full justify-items-center gap-3 border-t border-line pt-4 text-center text-sm max-sm:max-w-xs max-sm:justify-items-stretch">
      <EmailSentence text={(shown) => t("errors.signedInAs", { email: shown })} email={email} />
      <SwitchAccount next={pathname + search} variant="secondary" />
    </div>
  );
}
