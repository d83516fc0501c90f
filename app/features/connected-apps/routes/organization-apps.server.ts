import { href, type RouterContextProvider } from "react-router";
import type { FormResult } from "../../../http/forms.server.ts";
import { forbidden } from "../../../http/responses.ts";
import {
  callOf,
  closureOf,
  refuseForm,
  requirePage,
  visitorOf,
} from "../../../middleware/organization-call.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { roleCan } from "../../access/organization-permissions.ts";
import {
  loadFrameForChange,
  type OrganizationFrame,
} from "../../organizations/organization-page.server.ts";
import { OWNED_APP_ACTS } from "../acts.ts";
import type { AppChange } from "./apps.server.ts";

type Args = { context: Readonly<RouterContextProvider>; url: URL; params: { slug: string } };

/** Returns a page of the URL's organization with what its screens need; 403 unless owners ask. */
export function ownerPage<Content extends { frame: OrganizationFrame }>(
  { url, params }: Args,
  page: Parameters<typeof requirePage<Content>>[0],
) {
  const found = requirePage(page, url, params.slug);
  requireOwnership(found.frame);
  const closure = closureOf(found.frame);
  return { ...found, closure, mayChange: !closure, paths: pathsOf(found.frame) };
}

/**
 * Returns the change that an owner makes with a form, or the form with the reason why nothing of the
 * organization can change.
 */
export async function ownedChange(args: Args, result: FormResult) {
  const { context, url, params } = args;
  const { db } = context.get(servicesContext);
  const { frame } = requirePage(await loadFrameForChange(db, visitorOf(args)), url, params.slug);
  requireOwnership(frame);
  const closure = closureOf(frame);
  if (closure) return { refused: refuseForm(closure, result) };
  const { list, pathOf } = pathsOf(frame);
  const change: AppChange = {
    context,
    owner: { organizationId: frame.id },
    actorFor: async (command) => (await callOf(args, OWNED_APP_ACTS[`${command}-app`])).actor,
    list,
    pathOf,
    result,
  };
  return { change };
}

function requireOwnership({ role }: OrganizationFrame) {
  if (!roleCan(role, "app", "update")) forbidden();
}

function pathsOf({ slug }: OrganizationFrame) {
  return {
    settings: href("/app/organizations/:slug/settings", { slug }),
    list: href("/app/organizations/:slug/apps", { slug }),
    pathOf: (app: string) => href("/app/organizations/:slug/apps/:app", { slug, app }),
  };
}
