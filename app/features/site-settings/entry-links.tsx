import { href } from "react-router";
import { ButtonLink } from "../../ui/button.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { TermsLinks } from "./terms-links.tsx";

type EntryLinksProps = {
  hasWaitingList: boolean;
  termsUrl: string | undefined;
  privacyUrl: string | undefined;
};

/** Links below the login form: to the waiting list, the terms and the privacy policy, as far as there are any. */
export function EntryLinks({ hasWaitingList, ...links }: EntryLinksProps) {
  const { t } = useTranslation("login");
  return (
    <>
      {hasWaitingList && (
        <div className="grid gap-3 border-t border-line pt-6">
          <p className="text-sm text-muted">{t("waitingList.why")}</p>
          <ButtonLink variant="secondary" to={href("/login/waiting-list")}>
            {t("waitingList.join")}
          </ButtonLink>
        </div>
      )}
      <TermsLinks {...links} />
    </>
  );
}
