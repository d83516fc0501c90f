import type { RouterContextProvider } from "react-router";
import { isSetupDismissed } from "../../features/account/setup.server.ts";
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
  const [{ activeOrganization, invitations, organizations }, [recent, passkeys]] =
    await Promise.all([
      getShell(context),
      db.batch([
        selectRecentRepositories(db, session.activeOrganizationId),
        selectAnyPasskey(db, user.id),
      ]),
    ]);
  const setup = {
    name: user.onboardedAt !== null,
    picture: avatars && user.avatar !== null,
    passkey: passkeys.length > 0,
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
    recent: readRecentRepositories(recent),
    invitations,
    organizations: organizations.filter(({ deletionDueAt }) => deletionDueAt),
    organization: activeOrganization?.name,
    now: now(),
  };
}
