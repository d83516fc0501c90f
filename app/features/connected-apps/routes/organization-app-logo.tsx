import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { getCurrentSession, requireAct, requireOwner } from "../../../middleware/current-user.ts";
import { visitorOf } from "../../../middleware/organization-call.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { loadFrameWith } from "../../organizations/organization-page.server.ts";
import { OWNED_APP_ACTS } from "../acts.ts";
import { AppLogoScreen } from "../app-logo-screen.tsx";
import { selectApp, shownApp } from "../apps.server.ts";
import type { Route } from "./+types/organization-app-logo.ts";
import { saveLogo } from "./apps.server.ts";
import { ownedChange, ownerPage } from "./organization-apps.server.ts";

export const handle = { i18n: ["organizations", "connected-apps", "pictures"] };

/** A file would be lost on the way to a proof, so that comes first. */
export async function loader(args: Route.LoaderArgs) {
  const { context, params } = args;
  const { db, avatars } = context.get(servicesContext);
  const page = await loadFrameWith(db, visitorOf(args), (organizationId) =>
    selectApp(db, params.app, { organizationId }),
  );
  const { rows, closure, paths } = ownerPage(args, page);
  const [row = notFound()] = rows;
  const app = shownApp(row, context.get(requestContext).now());
  const above = paths.pathOf(app.id);
  // A manager who acts in the owner's name sees the page, whose form is closed to them.
  if (!getCurrentSession(context).session.impersonatedBy) {
    requireAct(context, OWNED_APP_ACTS["logo-app"], { next: `${above}/logo` });
  }
  const closed = closure && (`codes:${closure.code}` as const);
  return { app, above, isAvailable: avatars !== undefined, closed };
}

export async function action(args: Route.ActionArgs) {
  requireOwner(args.context);
  const { refused, change } = await ownedChange(args, { values: {}, errors: {} });
  return refused ?? saveLogo(change, args.params.app, args.request);
}

export const clientAction = sendForm;

export default function OrganizationAppLogoScreen({
  loaderData,
  actionData,
}: Route.ComponentProps) {
  return <AppLogoScreen {...loaderData} result={actionData} />;
}
