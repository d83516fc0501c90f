import { href, redirect } from "react-router";
import { z } from "zod";
import { dismissSetup, isSetupDismissed } from "../../features/account/setup.server.ts";
import { SetupChecklist } from "../../features/account/setup-checklist.tsx";
import { OrganizationNotices } from "../../features/organizations/organization-notices.tsx";
import { RecentRepositories } from "../../features/repositories/recent-repositories.tsx";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { requireAll, requirePermission } from "../../middleware/current-user.ts";
import { languageContext } from "../../middleware/locale.ts";
import { getHome, getShell } from "../../middleware/session.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { partOfDay } from "../../values/part-of-day.ts";
import type { Route } from "./+types/home.ts";

const HomeForm = z.object({ intent: z.literal("dismiss-setup") });

export async function loader({ request, context }: Route.LoaderArgs) {
  const { user, session } = requirePermission(context, "apps", "app");
  requireAll(context, [["repository", "read"]]);
  const { config, avatars } = context.get(servicesContext);
  const { now, timeZone } = context.get(requestContext);
  const format = formatsOf(context.get(languageContext), timeZone);
  const { recent, hasPasskey } = await getHome(context);
  const { activeOrganization, invitations, organizations } = await getShell(context);
  const setup = {
    name: user.onboardedAt !== null,
    picture: avatars && user.avatar !== null,
    passkey: hasPasskey,
    language: user.language !== null,
  };
  const isClosed = config.isDemo || session.impersonatedBy !== null;
  const isOffered = !isClosed && Object.values(setup).includes(false);
  return {
    name: user.name,
    // Only a manager who impersonates such a user reaches this screen.
    isNameMissing: user.onboardedAt === null,
    // The server's: the browser's clock could say another, and the first paint would be redrawn.
    partOfDay: timeZone ? partOfDay(format.hour(now())) : undefined,
    setup: isOffered && !isSetupDismissed(request, user.id) ? setup : undefined,
    recent,
    invitations,
    organizations: organizations.filter(({ deletionDueAt }) => deletionDueAt),
    organization: activeOrganization?.name,
    now: now(),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { user } = requirePermission(context, "apps", "app");
  const form = await parseForm(request, HomeForm);
  if (!form.ok) return invalid(form.result);
  return redirect(href("/app"), { headers: { "Set-Cookie": dismissSetup(user.id) } });
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendForm(serverAction);
}

export default function AppHomeScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("app");
  const { name, isNameMissing, setup, recent, organization, now } = loaderData;
  const greeting = loaderData.partOfDay ?? "greeting";
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenTitle>{t("home.title")}</ScreenTitle>
      <ScreenHeader
        title={name ? t(`home.${greeting}`, { name: isolate(name) }) : t("home.hello")}
      />
      {isNameMissing && <Notice kind="info">{t("nameMissing")}</Notice>}
      <OrganizationNotices {...loaderData} />
      {setup && <SetupChecklist setup={setup} />}
      <RecentRepositories {...recent} organization={organization} now={now} />
    </div>
  );
}
