import { href } from "react-router";
import { Notice } from "../../ui/feedback/notice.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import type { OwnInvitation, OwnOrganization } from "./own-organizations.server.ts";

/** An invitation, or an offer of ownership, that waits for the user's answer. */
export function InvitationNotice({ invitation }: { invitation: OwnInvitation }) {
  const { t } = useTranslation("app");
  const { id, organization, isOffer } = invitation;
  return (
    <Notice
      kind="info"
      isState
      action={
        <ButtonLink variant="secondary" isSmall to={href("/invitations/:id", { id })}>
          {t(isOffer ? "home.waiting.viewOffer" : "home.waiting.viewInvitation")}
        </ButtonLink>
      }
    >
      <p>
        {t(isOffer ? "home.waiting.offered" : "home.waiting.invited", {
          organization: isolate(organization),
        })}
      </p>
    </Notice>
  );
}

type OrganizationNoticesProps = {
  invitations: OwnInvitation[];
  organizations: Pick<OwnOrganization, "id" | "name" | "slug" | "deletionDueAt">[];
};

/** The invitations that wait for the user's answer, and the user's organizations that are being deleted. */
export function OrganizationNotices({ invitations, organizations }: OrganizationNoticesProps) {
  const { t } = useTranslation("app");
  const format = useFormat();
  return (
    <>
      {invitations.map((invitation) => (
        <InvitationNotice key={invitation.id} invitation={invitation} />
      ))}
      {organizations.map(
        ({ id, name, slug, deletionDueAt }) =>
          deletionDueAt && (
            <Notice
              key={id}
              kind="warning"
              isState
              action={
                <ButtonLink
                  variant="secondary"
                  isSmall
                  to={href("/app/organizations/:slug", { slug })}
                >
                  {t("home.waiting.openOrganization")}
                </ButtonLink>
              }
            >
              <p className="font-medium">
                {t("home.waiting.deleting", { organization: isolate(name) })}
              </p>
              <p suppressHydrationWarning>
                {t("home.waiting.deletingText", { date: format.day(deletionDueAt) })}
              </p>
            </Notice>
          ),
      )}
    </>
  );
}
