import type { ReactNode } from "react";
import { Form, href, useNavigation } from "react-router";
import { Button, ButtonLink } from "../../../ui/forms/button.tsx";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { SwitchAccount } from "../../../ui/layout/switch-account.tsx";
import { EmailSentence } from "../../../ui/text/email-text.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import type { OrganizationRole } from "../../access/role-names.ts";
import { OrganizationLogo } from "../organization-logo.tsx";
import type { InvitationPageState } from "./invitation-state.ts";

type Invitation = {
  organization: string;
  organizationId: string;
  /** Path of the organization, for the member who accepted. */
  slug: string | undefined;
  role: OrganizationRole;
  /** Ownership that a member is offered: as one more owner, or in place of the inviter. */
  offer: "added" | "handedOver" | undefined;
  inviter: string;
  until: string;
  /** The login page for an anonymous visitor; undefined for a signed-in user. */
  loginPath: string | undefined;
  /** True when a person without an account can create one to accept it. */
  opensAccount: boolean;
};

type InvitationScreenProps = {
  state: InvitationPageState;
  id: string;
  ownEmail: string | undefined;
  /** Undefined when the invitation is for another e-mail. */
  invitation: Invitation | undefined;
  /** What features say below the role. */
  children: ReactNode;
};

/** The page that the mail of an invitation opens: its answer, or why there can be none. */
export function InvitationScreen({
  state,
  id,
  ownEmail,
  invitation,
  children,
}: InvitationScreenProps) {
  const { t } = useTranslation("organizations");
  if (!invitation) return <Foreign id={id} ownEmail={ownEmail ?? ""} />;
  const { organization, organizationId, slug, role, offer, inviter, until, loginPath } = invitation;
  const { opensAccount } = invitation;
  const names = { inviter: isolate(inviter), organization: isolate(organization) };
  if (state === "open") {
    const signInHint = opensAccount
      ? t("invitation.signInHint")
      : t("invitation.accountNeeded", names);
    return (
      <>
        <Intro
          title={t(offer ? "offer.title" : "invitation.title", names)}
          logo={<OrganizationLogo id={organizationId} name={organization} logo={null} size="lg" />}
        >
          {offer ? (
            <>
              <p className="text-muted">{t(`offer.${offer}`, { inviter: names.inviter })}</p>
              <p className="text-muted">{t("offer.text")}</p>
            </>
          ) : (
            <p className="text-muted">{t(`invitation.as.${role}`, { inviter: names.inviter })}</p>
          )}
          {children}
          <p className="text-sm text-muted">{t("invitation.until", { date: isolate(until) })}</p>
        </Intro>
        {loginPath ? (
          <SignIn path={loginPath} label={t("invitation.signIn")} hint={signInHint} />
        ) : (
          <Answer ownEmail={ownEmail ?? ""} />
        )}
      </>
    );
  }
  const closed = state as Exclude<InvitationPageState, "open" | "foreign">;
  return (
    <>
      <Intro
        title={t(
          offer && closed === "expired" ? "offer.expired" : `invitation.${closed}.title`,
          names,
        )}
      >
        <p className="text-muted">{t(`invitation.${closed}.text`, names)}</p>
      </Intro>
      {slug ? (
        <ButtonLink to={href("/app/organizations/:slug", { slug })}>
          {t("invitation.used.open", names)}
        </ButtonLink>
      ) : (
        <ButtonLink to={href("/app/organizations")}>{t("invitation.toApp")}</ButtonLink>
      )}
    </>
  );
}

type IntroProps = { title: string; logo?: ReactNode; children: ReactNode };

/** The head of an invitation's page. */
export function Intro({ title, logo, children }: IntroProps) {
  return (
    <div className="grid gap-3">
      <ScreenTitle>{title}</ScreenTitle>
      {logo}
      <h1 className="text-xl font-semibold text-balance wrap-anywhere">{title}</h1>
      {children}
    </div>
  );
}

type SignInProps = { path: string; label: string; hint: string };

/** Leads an anonymous visitor to the login page, and says who can sign in. */
export function SignIn({ path, label, hint }: SignInProps) {
  return (
    <div className="grid gap-3">
      <ButtonLink to={path}>{label}</ButtonLink>
      <p className="text-sm text-muted">{hint}</p>
    </div>
  );
}

function Answer({ ownEmail }: { ownEmail: string }) {
  const { t } = useTranslation("organizations");
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <Form method="post" className="grid gap-3">
      <div className="text-sm">
        <EmailSentence text={(email) => t("invitation.signedInAs", { email })} email={ownEmail} />
      </div>
      <Button isBusy={isBusy} name="intent" value="accept">
        {t("invitation.accept")}
      </Button>
      <Button variant="secondary" isBusy={isBusy} name="intent" value="decline">
        {t("invitation.decline")}
      </Button>
    </Form>
  );
}

/** For a user whose e-mail is not the invited one. It tells neither the e-mail nor the organization. */
function Foreign({ id, ownEmail }: { id: string; ownEmail: string }) {
  const { t } = useTranslation("organizations");
  return (
    <>
      <Intro title={t("invitation.foreign.title")}>
        <EmailSentence text={(email) => t("invitation.foreign.text", { email })} email={ownEmail} />
      </Intro>
      <div className="grid gap-3">
        <SwitchAccount next={href("/invitations/:id", { id })} variant="primary" />
        <ButtonLink variant="secondary" to={href("/app")}>
          {t("invitation.toApp")}
        </ButtonLink>
      </div>
    </>
  );
}
