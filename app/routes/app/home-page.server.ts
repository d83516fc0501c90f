import type { RouterContextProvider } from "react-router";
import { roleCan } from "../../features/access/organization-permissions.ts";
import { can } from "../../features/access/permissions.ts";
import { isSetupDismissed } from "../../features/account/setup.server.ts";
import type { SetupStep } from "../../features/account/setup-line.tsx";
import type { OwnOrganization } from "../../features/organizations/own-organizations.server.ts";
import { selectAnyPasskey } from "../../features/passkeys/own-passkeys.server.ts";
import {
  readRecentRepositories,
  selectRecentRepositories,
} from "../../features/repositories/recent-repositories.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { requireAll, requirePermission } from "../../middleware/current-user.ts";
import { languageContext } from "../../middleware/locale.ts";
import { getShell } from "../../middleware/shell.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { partOfDay } from "../../values/part-of-day.ts";

export async function readHomePage(request: Request, context: Readonly<RouterContextProvider>) {
  const { user, session } = requirePermission(context, "apps", "app");
  requireAll(context, [["repository", "read"]]);
  const { db, config, avatars } = context.get(servicesContext);
  const { now, timeZone } = context.get(requestContext);
  const format = formatsOf(context.get(languageContext), timeZone);
  const [{ activeOrganization, invitations, organizations }, [recent, shared, passkeys]] =
    await Promise.all([
      getShell(context),
      db.batch([
        selectRecentRepositories(db, null),
        selectRecentRepositories(db, session.activeOrganizationId ?? ""),
        selectAnyPasskey(db, user.id),
      ]),
    ]);
  const isClosed = config.isDemo || session.impersonatedBy !== null;
  const isOffered = !isClosed && !isSetupDismissed(request, user.id);
  const setup: SetupStep[] = [
    ...(isOffered && avatars && user.avatar === null ? (["picture"] as const) : []),
    ...(isOffered && passkeys.length === 0 ? (["passkey"] as const) : []),
  ];
  return {
    name: user.name,
    // Only a manager who impersonates such a user reaches this screen.
    isNameMissing: user.onboardedAt === null,
    // The server's: the browser's clock could say another, and the first paint would be redrawn.
    partOfDay: timeZone ? partOfDay(format.hour(now())) : undefined,
    setup,
    recent: readRecentRepositories(recent),
    shared: readRecentRepositories(shared),
    mayAddRepositories: can(user, "repository", "create"),
    invitations,
    organizations: organizations.filter(({ deletionDueAt }) => deletionDueAt),
    organization: activeOrganization && describeActive(activeOrganization),
    now: now(),
  };
}

/** What the home screen offers in the active organization. */
function describeActive({ name, slug, role, disabledAt, deletionDueAt }: OwnOrganization) {
  const isOpen = !disabledAt && !deletionDueAt;
  return {
    ...{ name, slug },
    mayShare: isOpen && roleCan(role, "repository", "create"),
    mayInvite: isOpen && roleCan(role, "invitation", "create"),
  };
}
