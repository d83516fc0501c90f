import { Form, href, useNavigation } from "react-router";
import { Button, ButtonLink } from "../../../ui/forms/button.tsx";
import { EmailSentence } from "../../../ui/text/email-text.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { OrganizationLogo } from "../organization-logo.tsx";
import type { LinkState } from "./invitation-links.server.ts";
import { Intro, SignIn } from "./invitation-screen.tsx";

type LinkScreenProps = {
  state: LinkState;
  ownEmail: string | undefined;
  /** Undefined for a link that does not exist or has ended. */
  link:
    | {
        organization: string;
        organizationId: string;
        /** Path of the organization, for its members. */
        slug: string | undefined;
        inviter: string;
        until: string;
        /** The login page for an anonymous visitor; undefined for a signed-in user. */
        loginPath: string | undefined;
        /** True when people without an account can create one to join. */
        opensAccount: boolean;
      }
    | undefined;
};

/** The page of an invitation link: its button to join, or why it leads nowhere. */
export function LinkScreen({ state, ownEmail, link }: LinkScreenProps) {
  const { t } = useTranslation("organizations");
  const isBusy = useNavigation().formMethod === "POST";
  if (!link) {
    return (
      <>
        <Intro title={t("link.ended.title")}>
          <p className="text-muted">{t("link.ended.text")}</p>
        </Intro>
        <ToApp />
      </>
    );
  }
  const { organization, organizationId, slug, inviter, until, loginPath, opensAccount } = link;
  const names = { inviter: isolate(inviter), organization: isolate(organization) };
  if (state !== "open") {
    return (
      <>
        <Intro title={t(`link.${state}.title`, names)}>
          <p className="text-muted">{t(`link.${state}.text`, names)}</p>
        </Intro>
        {slug ? (
          <ButtonLink to={href("/app/organizations/:slug", { slug })}>
            {t("invitation.used.open", names)}
          </ButtonLink>
        ) : (
          <ToApp />
        )}
      </>
    );
  }
  return (
    <>
      <Intro
        title={t("invitation.title", names)}
        logo={<OrganizationLogo id={organizationId} name={organization} logo={null} size="lg" />}
      >
        <p className="text-muted">{t("link.text", names)}</p>
        <p className="text-sm text-muted">{t("invitation.until", { date: isolate(until) })}</p>
      </Intro>
      {loginPath ? (
        <SignIn
          path={loginPath}
          label={t("link.signIn")}
          hint={t(opensAccount ? "link.signInHint" : "link.accountNeeded", names)}
        />
      ) : (
        <Form method="post" className="grid gap-3">
          <div className="text-sm">
            <EmailSentence
              text={(email) => t("invitation.signedInAs", { email })}
              email={ownEmail ?? ""}
            />
          </div>
          <Button isBusy={isBusy} name="intent" value="join">
            {t("link.join")}
          </Button>
        </Form>
      )}
    </>
  );
}

function ToApp() {
  const { t } = useTranslation("organizations");
  return <ButtonLink to={href("/app/organizations")}>{t("invitation.toApp")}</ButtonLink>;
}
