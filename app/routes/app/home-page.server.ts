import type { RouterContextProvider } from "react-router";
import { roleCan } from "../../features/access/organization-permissions.ts";
import { mayDo } from "../../features/access/permissions.ts";
import { isSetupDismissed } from "../../features/account/setup.server.ts";
import type { SetupStep } from "../../features/account/setup-cards.tsx";
import { selectIsAlone } from "../../features/organizations/alone.server.ts";
import type { OwnOrganization } from "../../features/organizations/own-organizations.server.ts";
import { selectAnyPasskey } from "../../features/passkeys/own-passkeys.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { languageContext } from "../../middleware/locale.ts";
import { openPanels } from "../../middleware/panels.server.ts";
import { getShell } from "../../middleware/shell.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { partOfDay } from "../../values/part-of-day.ts";

export async function readHomePage(request: Request, context: Readonly<RouterContextProvider>) {
  const { user, session } = requirePermission(context, "apps", "app");
  const { db, config, avatars } = context.get(servicesContext);
  const { now, timeZone } = context.get(requestContext);
  const format = formatsOf(context.get(languageContext), timeZone);
  const panels = openPanels(context, "home", session.activeOrganizationId ?? "");
  const steps = openPanels(context, "homeSteps", session.activeOrganizationId ?? "");
  const actions = openPanels(context, "homeActions", session.activeOrganizationId ?? "");
  const [{ activeOrganization, invitations, organizations }, [passkeys, [alone], ...rows]] =
    await Promise.all([
      getShell(context),
      db.batch([
        selectAnyPasskey(db, user.id),
        selectIsAlone(db, session.activeOrganizationId ?? "", user.id),
        ...panels.statements,
        ...steps.statements,
        ...actions.statements,
      ]),
    ]);
  const ofSteps = rows.slice(panels.statements.length);
  const maySee = (needs: readonly [string, string]) => mayDo(user, needs);
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
    panels: panels.results(rows, maySee),
    stepPanels: steps.results(ofSteps, maySee),
    actionPanels: actions.results(ofSteps.slice(steps.statements.length), maySee),
    hasOrganization: organizations.length > 0,
    isAlone: alone?.isAlone === 1,
    user: { role: user.role },
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
    name,
    slug,
    role,
    isOpen,
    mayInvite: isOpen && roleCan(role, "invitation", "create"),
  };
}
