import { href } from "react-router";
import type { z } from "zod";
import { rolesOf } from "../../features/access/permissions.ts";
import { removeAvatar } from "../../features/account/avatar.server.ts";
import { UserChange } from "../../features/users/input.ts";
import { changeUser } from "../../features/users/user-change.server.ts";
import { UserDetail } from "../../features/users/user-detail.tsx";
import { findUserDetail, statusOf } from "../../features/users/user-queries.server.ts";
import { parseForm } from "../../http/forms.server.ts";
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
  const { id, name, email, avatar, createdAt, lastSeenAt, onboardedAt, banReason, banExpires } =
    user;
  return {
    ...rest,
    now,
    isSelf: id === self.id,
    user: {
      ...{ id, name, email, avatar, createdAt, lastSeenAt, onboardedAt, banReason, banExpires },
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
  const form = await parseForm(request, UserChange);
  if (!form.ok) notFound();
  const actor = requireChange(context, form.value.intent);
  const { db, avatars } = context.get(servicesContext);
  const { message, isGone, isRefused, avatar } = await changeUser(db, actor, params.id, form.value);
  if (avatar) context.get(requestContext).afterAnswer(() => removeAvatar(avatars, avatar));
  // As it was asked for: whoever made it up may have put in what no header can hold.
  const id = encodeURIComponent(params.id);
  const next = isGone ? href("/manager/users") : href("/manager/users/:id", { id });
  return redirectWithToast(next, { kind: isRefused ? "error" : "success", message });
}

export default function UserScreen({ loaderData }: Route.ComponentProps) {
  const { name, email } = loaderData.user;
  return (
    <>
      <ScreenTitle>{name || email}</ScreenTitle>
      <UserDetail {...loaderData} />
    </>
  );
}

function requireChange(
  context: Route.ActionArgs["context"],
  intent: z.infer<typeof UserChange>["intent"],
) {
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
