import { href, redirect } from "react-router";
import { rolesOf } from "../../features/access/permissions.ts";
import { removeAvatar } from "../../features/account/avatar.server.ts";
import { startImpersonation } from "../../features/auth/impersonation.server.ts";
import { userChange } from "../../features/users/input.ts";
import { changeUser, type UserCommand } from "../../features/users/user-change.server.ts";
import { UserDetail } from "../../features/users/user-detail.tsx";
import { findUserDetail, statusOf } from "../../features/users/user-queries.server.ts";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { describeDevice } from "../../http/user-agent.server.ts";
import { requireActor, requirePermission } from "../../middleware/require-user.ts";
import { servicesContext } from "../../services.server.ts";
import { ScreenTitle } from "../../ui/document.tsx";
import type { Route } from "./+types/user.ts";

export const handle = { i18n: ["users", "events"] };

export async function loader({ context, params }: Route.LoaderArgs) {
  const { user: self } = requirePermission(context, "user", "get");
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const detail = (await findUserDetail(db, params.id, now)) ?? notFound();
  const { user, sessions, ...rest } = detail;
  const { id, name, email, avatar, createdAt, lastSeenAt, onboardedAt } = user;
  const { banReason, banExpires, deletionDueAt } = user;
  return {
    ...rest,
    now,
    isSelf: id === self.id,
    user: {
      ...{ id, name, email, avatar, createdAt, lastSeenAt, onboardedAt },
      ...{ banReason, banExpires, deletionDueAt },
      role: rolesOf(user)[0] ?? "user",
      status: statusOf(user, now),
    },
    sessions: sessions.map(({ userAgent, ...session }) => ({
      ...session,
      device: describeDevice(userAgent),
    })),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requirePermission(context, "user", "get");
  const { id } = params;
  const form = await parseForm(request, userChange(context.get(requestContext).now()));
  if (!form.ok) {
    // Its own fields the screen can show; an intent or a session that is not there is no form of its.
    return form.result.errors.intent || form.result.errors.session
      ? notFound()
      : invalid(form.result);
  }
  if (form.value.intent === "impersonate") {
    const { impersonationReason: reason } = form.value;
    return impersonate({ request, context }, { userId: id, reason });
  }
  const actor = requireChange(context, form.value.intent);
  const { db, avatars } = context.get(servicesContext);
  const changed = await changeUser(db, actor, id, form.value);
  const { avatar } = changed;
  if (avatar) context.get(requestContext).afterAnswer(() => removeAvatar(avatars, avatar));
  if (!changed.ok) return refuse(id, changed.error);
  const next = changed.isGone ? href("/manager/users") : href("/manager/users/:id", { id });
  return redirectWithToast(next, { kind: "success", message: changed.message });
}

export default function UserScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { name, email } = loaderData.user;
  return (
    <>
      <ScreenTitle>{name || email}</ScreenTitle>
      <UserDetail {...loaderData} result={actionData} />
    </>
  );
}

async function impersonate(
  { request, context }: Pick<Route.ActionArgs, "request" | "context">,
  input: { userId: string; reason: string },
) {
  const current = requirePermission(context, "user", "impersonate");
  const { db, keys, config } = context.get(servicesContext);
  const info = context.get(requestContext);
  const { secret, isSecure } = config;
  const call = { request, info, current };
  const started = await startImpersonation({ db, keys, secret, isSecure }, call, input);
  if (!started.ok) return refuse(input.userId, started.error);
  return redirect(href("/app"), { headers: started.headers });
}

/** Whoever is not there is not found; any other refusal is said where the form was. */
function refuse(id: string, error: string) {
  if (error === "not_found") notFound();
  const message = `users:refusal.${error}`;
  return redirectWithToast(href("/manager/users/:id", { id }), { kind: "error", message });
}

function requireChange(context: Route.ActionArgs["context"], intent: UserCommand["intent"]) {
  switch (intent) {
    case "ban":
    case "unban":
      return requireActor(context, "user", "ban");
    case "delete":
      return requireActor(context, "user", "delete");
    case "revoke":
    case "revoke-all":
      return requireActor(context, "session", "revoke");
  }
}
