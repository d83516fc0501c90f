import { href, type RouterContextProvider, redirect } from "react-router";
import type { Act } from "../features/access/act.ts";
import type {
  OrganizationFrame,
  Visitor,
} from "../features/organizations/organization-page.server.ts";
import {
  idOfSlug,
  type OrganizationCall,
  type Refusal,
} from "../features/organizations/standing.server.ts";
import { statusOf } from "../features/owned/owned-errors.ts";
import { type FormResult, invalid } from "../http/forms.server.ts";
import type { Problem } from "../http/problem.server.ts";
import { requestContext } from "../http/request-context.ts";
import { notFound } from "../http/responses.ts";
import { redirectWithToast } from "../http/toast.ts";
import type { Toast } from "../ui/feedback/toast-kinds.ts";
import type { CheckedMessage } from "../ui/text/message.tsx";
import type { ApiCall } from "./api-call.server.ts";
import { requirePermission } from "./current-user.ts";
import { ownCallOf, ownCallOfKey } from "./own-call.server.ts";

type Args = { context: Readonly<RouterContextProvider>; params: { slug: string } };

/** Returns who asks for the organization of the URL. */
export function visitorOf({ context, params }: Args): Visitor {
  const { user } = requirePermission(context, "apps", "app");
  return { slug: params.slug, userId: user.id, now: context.get(requestContext).now() };
}

/**
 * Returns a page whose visitor is a member. Redirects a slug that the organization had until recently, and answers 404
 * for any other.
 */
export function requirePage<Content extends { frame: OrganizationFrame }>(
  page: Content | { frame: undefined; movedTo: string | undefined },
  url: URL,
  slug: string,
): Content {
  if (page.frame) return page;
  if (page.movedTo === undefined) notFound();
  const [before, after] = [slug, page.movedTo].map((part) =>
    href("/app/organizations/:slug", { slug: part }),
  );
  throw redirect(url.pathname.replace(before ?? "", after ?? "") + url.search);
}

/**
 * Returns the change that the signed-in user makes, once they have proved who they are where the act needs it. Closed
 * during an impersonation. A form that was opened before the slug changed acts on the same organization.
 */
export async function callOf({ context, params }: Args, act: Act): Promise<OrganizationCall> {
  const { db, actor } = await ownCallOf(context, act);
  const id = idOfSlug(params.slug, actor.source.now());
  return { db, actor, key: { id }, as: "member" };
}

/**
 * Returns the change that the key of an organization makes, as its maker. Errors:
 * `API_KEY_LACKS_PERMISSION` for any other key, `TOO_MANY_REQUESTS`.
 * @public Called by the subjects that `npm run new` writes.
 */
export async function callOfKey(
  call: ApiCall,
): Promise<{ ok: true; call: OrganizationCall } | ({ ok: false } & Problem)> {
  const { organization } = call.holder;
  if (!organization) return { ok: false, status: 403, code: "API_KEY_LACKS_PERMISSION" };
  const own = await ownCallOfKey(call);
  if (!own.ok) return own;
  const { db, actor } = own.call;
  return { ok: true, call: { db, actor, key: { id: organization.id }, as: "member" } };
}

/**
 * Answers a change: a redirect with a toast, or the form with the refusal at a field ("" is the form as a whole). An
 * organization that is unknown to the user is a 404.
 */
export function answerChange(
  result: { ok: true } | Refusal,
  form: FormResult,
  {
    to,
    message,
    field = "",
    undo,
  }: { to: string; message: CheckedMessage; field?: string; undo?: Toast["undo"] },
) {
  if (result.ok) return redirectWithToast(to, { kind: "success", message, undo });
  return refuseForm(result, form, field);
}

/** Returns why nothing of an organization can change; undefined while it can. */
export function closureOf({
  disabledAt,
  deletionDueAt,
}: Pick<OrganizationFrame, "disabledAt" | "deletionDueAt">): Refusal | undefined {
  if (deletionDueAt) return { ok: false, code: "ORGANIZATION_BEING_DELETED" };
  return disabledAt ? { ok: false, code: "ORGANIZATION_DISABLED" } : undefined;
}

export function refuseForm({ code }: Refusal, form: FormResult, field = "") {
  if (code === "ORGANIZATION_NOT_FOUND") notFound();
  return invalid(form, { [field]: [`codes:${code}`] }, { status: statusOf(code) });
}
