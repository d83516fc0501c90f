import { href, redirect } from "react-router";
import { z } from "zod";
import { dismissSetup } from "../../features/account/setup.server.ts";
import { DismissSetup, SetupCards } from "../../features/account/setup-cards.tsx";
import { OrganizationNotices } from "../../features/organizations/organization-notices.tsx";
import { FeaturePanels } from "../../features.ui.tsx";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { StepCard, StepCards } from "../../ui/layout/step-card.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/home.ts";
import { readHomePage } from "./home-page.server.ts";

const HomeForm = z.object({ intent: z.literal("dismiss-setup") });

export function loader({ request, context }: Route.LoaderArgs) {
  return readHomePage(request, context);
}

export async function action({ request, context }: Route.ActionArgs) {
  const { user } = requirePermission(context, "apps", "app");
  const form = await parseForm(request, HomeForm);
  if (!form.ok) return invalid(form.result);
  return redirect(href("/app"), { headers: { "Set-Cookie": dismissSetup(user.id) } });
}

export const clientAction = sendForm;

export default function AppHomeScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("app");
  const { name, isNameMissing, setup, user, organization, isAlone, now } = loaderData;
  const subject = { user, organization };
  const greeting = loaderData.partOfDay ?? "greeting";
  const invitePath =
    organization?.mayInvite &&
    `${href("/app/organizations/:slug/invitations", { slug: organization.slug })}?invite`;
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenTitle>{t("home.title")}</ScreenTitle>
      <ScreenHeader title={name ? t(`home.${greeting}`, { name: isolate(name) }) : t("home.hello")}>
        {invitePath && !isAlone && (
          <ButtonLink variant="secondary" isSmall to={invitePath}>
            <Icon name="user-plus" className="size-4" />
            {t("home.invite")}
          </ButtonLink>
        )}
        <FeaturePanels<"homeActions">
          subject={subject}
          panels={loaderData.actionPanels}
          now={now}
        />
      </ScreenHeader>
      {isNameMissing && <Notice kind="info">{t("nameMissing")}</Notice>}
      <OrganizationNotices {...loaderData} />
      <FeaturePanels<"home"> subject={subject} panels={loaderData.panels} now={now} />
      <StepCards label={t("home.steps.title")}>
        {!loaderData.hasOrganization && (
          <StepCard
            to={href("/app/organizations/new")}
            picture="organization"
            title={t("home.steps.organization")}
          >
            {t("home.steps.organizationText")}
          </StepCard>
        )}
        {invitePath && isAlone && (
          <StepCard to={invitePath} picture="colleague" title={t("home.steps.invite")}>
            {t("home.steps.inviteText")}
          </StepCard>
        )}
        <FeaturePanels<"homeSteps"> subject={subject} panels={loaderData.stepPanels} now={now} />
        <SetupCards steps={setup} />
      </StepCards>
      {setup.length > 0 && <DismissSetup />}
    </div>
  );
}
