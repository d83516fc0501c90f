import { href, redirect } from "react-router";
import { can, rolesOf } from "../../features/access/permissions.ts";
import { startImpersonation } from "../../features/auth/impersonation/impersonation.server.ts";
import { listProviders, nameOfProvider } from "../../features/auth/sign-in/providers.ts";
import { deletePicture } from "../../features/avatars/picture-store.server.ts";
import { userChange } from "../../features/users/input.ts";
import { changeUser, USER_COMMANDS } from "../../features/users/user-change.server.ts";
import { findUserDetail } from "../../features/users/user-detail.server.ts";
import { UserDetail } from "../../features/users/user-detail.tsx";
import { statusOf } from "../../features/users/user-queries.server.ts";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/document.tsx";
import { FormErrors } from "../../ui/form-errors.tsx";
import type { CheckedMessage } from "../../ui/message.tsx";
import { describeDevice } from "../../values/user-agent.server.ts";
import { mailServices } from "../mail-services.server.ts";
import type { Route } from "./+types/user.ts";

export const handle = { i18n: ["users", "events"] };

export async function loader({ context, params }: Route.LoaderArgs) {
  const { user: self } = requirePermission(context, "user", "get");
  const { db, config } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const detail = (await findUserDetail(db, params.id, now)) ?? notFound();
  const { user, sessions, methods, ...rest } = detail;
  const providers = listProviders(config.social);
  const named = ({ accounts, ...others }: typeof methods) => ({
    ...others,
    accounts: accounts.map(({ provider, createdAt }) => ({
      name: nameOfProvider(provider, providers),
      createdAt,
    })),
  });
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
    sessions: can(self, "session", "list")
      ? sessions.map(({ userAgent, ...session }) => ({
          ...session,
          device: describeDevice(userAgent),
        }))
      : undefined,
    methods: can(self, "account", "read") ? named(methods) : undefined,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requirePermission(context, "user", "get");
  const { id } = params;
  const form = await parseForm(request, userChange(context.get(requestContext).now()));
  if (!form.ok) return invalid(form.result);
  if (form.value.intent === "impersonate") {
    const { impersonationReason: reason } = form.value;
    return impersonate({ request, context }, { userId: id, reason });
  }
  const { intent } = form.value;
  const [resource, permitted] = USER_COMMANDS[intent].permission;
  const actor = requireActor(context, resource, permitted);
  const changed = await changeUser(mailServices(context), actor, id, form.value);
  if (!changed.ok && changed.error === "not_found") notFound();
  if (!changed.ok) return refuse(id, changed.message);
  const { avatar, message } = changed;
  const { avatars } = context.get(servicesContext);
  if (avatar)
    context.get(requestContext).afterAnswer(() => deletePicture(avatars, "avatar", avatar));
  const next = intent === "delete" ? href("/manager/users") : href("/manager/users/:id", { id });
  return redirectWithToast(next, { kind: "success", message });
}

export default function UserScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { name, email } = loaderData.user;
  return (
    <>
      <ScreenTitle>{name || email}</ScreenTitle>
      <FormErrors errors={actionData?.errors[""]} />
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
  if (!started.ok) {
    const { error } = started;
    if (error === "not_found") notFound();
    return refuse(input.userId, `users:refusal.${error}`);
  }
  return redirect(href("/app"), { headers: started.headers });
}

/** Shows a refusal on the user's screen. */
function refuse(id: string, message: CheckedMessage) {
  return redirectWithToast(href("/manager/users/:id", { id }), { kind: "error", message });
}
