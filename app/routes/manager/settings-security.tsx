import { href } from "react-router";
import { z } from "zod";
import {
  findPasskeyRule,
  requirePasskeys,
} from "../../features/site-settings/passkey-rule.server.ts";
import { PasskeyRule } from "../../features/site-settings/passkey-rule.tsx";
import { RoleMatrix } from "../../features/site-settings/role-matrix.tsx";
import { parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { PASSKEY_GRACE_DAYS } from "../../values/limits.ts";
import { DAY_MS } from "../../values/time.ts";
import type { Route } from "./+types/settings-security.ts";

export const handle = { i18n: ["settings", "users"] };

const Change = z.object({ intent: z.enum(["required", "optional"]) });

export async function loader({ context }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "settings", "read");
  const { db, config } = context.get(servicesContext);
  const { since, hasPasskey } = await findPasskeyRule(db, user.id);
  const graceEndsAt = since && new Date(since.getTime() + PASSKEY_GRACE_DAYS * DAY_MS);
  const hasListedAdmins = config.adminEmails.length > 0;
  return { since, graceEndsAt, hasPasskey, hasListedAdmins, graceDays: PASSKEY_GRACE_DAYS };
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireActor(context, "settings", "update");
  const form = await parseForm(request, Change);
  if (!form.ok) notFound();
  const { db } = context.get(servicesContext);
  const isRequired = form.value.intent === "required";
  const isChanged = await requirePasskeys(db, actor, isRequired);
  const done = isRequired ? "settings:passkeys.switchedOn" : "settings:passkeys.switchedOff";
  return redirectWithToast(href("/manager/settings/security"), {
    kind: isChanged ? "success" : "warning",
    message: isChanged ? done : "settings:passkeys.notChanged",
  });
}

export const clientAction = sendForm;

export default function SecurityScreen({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PasskeyRule {...loaderData} />
      <RoleMatrix />
    </>
  );
}
