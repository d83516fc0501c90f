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
import type { Act } from "../../access/act.ts";
import { roleCan } from "../../access/organization-permissions.ts";
import {
  loadFrameForChange,
  loadFrameWith,
  type OrganizationFrame,
} from "../../organizations/organization-page.server.ts";
import { selectWebhooks } from "../webhooks.server.ts";

type Args = { context: Readonly<RouterContextProvider>; url: URL; params: { slug: string } };

/**
 * Returns the webhooks of the URL's organization, or one of them, with what their screens need; 403 unless owners ask.
 */
export async function loadWebhooks(args: Args, id?: string) {
  const { context, url, params } = args;
  const { db } = context.get(servicesContext);
  const { frame, rows } = requirePage(
    await loadFrameWith(db, visitorOf(args), (organizationId) =>
      selectWebhooks(db, { organizationId }, id),
    ),
    url,
    params.slug,
  );
  requireOwnership(frame);
  const page = { context, url, owner: "organization" as const, mayChange: !closureOf(frame) };
  return { frame, rows, page, paths: pathsOf(frame) };
}

/**
 * Returns the change of an organization's webhooks that an owner makes, or the form with the reason why nothing of the
 * organization can change.
 */
export async function webhookChange(args: Args, act: Act, result: FormResult) {
  const { context, url, params } = args;
  const { actor, db } = await callOf(args, act);
  const page = await loadFrameForChange(db, visitorOf(args));
  const { frame } = requirePage(page, url, params.slug);
  requireOwnership(frame);
  const closure = closureOf(frame);
  if (closure) return { refused: refuseForm(closure, result) };
  const call = { actor, owner: { organizationId: frame.id } };
  return { change: { context, url, call, result }, paths: pathsOf(frame) };
}

function requireOwnership({ role }: OrganizationFrame) {
  if (!roleCan(role, "webhook", "update")) forbidden();
}

function pathsOf({ slug }: OrganizationFrame) {
  return {
    settings: href("/app/organizations/:slug/settings", { slug }),
    list: href("/app/organizations/:slug/webhooks", { slug }),
    one: (id: string) => href("/app/organizations/:slug/webhooks/:id", { slug, id }),
  };
}
