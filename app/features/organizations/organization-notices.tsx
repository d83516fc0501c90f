import { href } from "react-router";
import { Notice } from "../../ui/feedback/notice.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import type { OwnInvitation, OwnOrganization } from "./own-organizations.server.ts";

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
      {invitations.map(({ id, organization }) => (
        <Notice
          key={id}
          kind="info"
          isState
          action={
            <ButtonLink variant="secondary" isSmall to={href("/invitations/:id", { id })}>
              {t("home.waiting.viewInvitation")}
            </ButtonLink>
          }
        >
          <p>{t("home.waiting.invited", { organization: isolate(organization) })}</p>
        </Notice>
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
