import { href } from "react-router";
import { OWN_ACTS } from "../../features/organizations/acts.ts";
import { boundedList } from "../../features/organizations/bounded-list.server.ts";
import { MembersForm } from "../../features/organizations/input.ts";
import { invitationUrl } from "../../features/organizations/invitations/invitation-commands.server.ts";
import {
  handOverOwnership,
  offerOwnership,
} from "../../features/organizations/invitations/ownership-offer.server.ts";
import { PendingList } from "../../features/organizations/invitations/pending-list.tsx";
import {
  changeMemberRole,
  RESTORE_REFUSALS,
  removeMember,
  restoreForm,
  restoreMember,
} from "../../features/organizations/members/member-commands.server.ts";
import { MemberList, readRole } from "../../features/organizations/members/member-list.tsx";
import { messageOf } from "../../features/organizations/office/organization-change.server.ts";
import { OrganizationFrame } from "../../features/organizations/organization-frame.tsx";
import { loadMembers } from "../../features/organizations/organization-page.server.ts";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { mailServices } from "../../middleware/mail-services.server.ts";
import {
  answerChange,
  callOf,
  requirePage,
  visitorOf,
} from "../../middleware/organization-call.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import type { CheckedMessage } from "../../ui/text/message.tsx";
import type { Route } from "./+types/organization-members.ts";

export const handle = { i18n: "organizations" };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db, config } = context.get(servicesContext);
  const page = requirePage(await loadMembers(db, visitor), url, params.slug);
  const role = readRole(url.searchParams.get("role"));
  const members = page.members.filter((member) => !role || member.role === role);
  const { rows, state } = boundedList(members, url, ({ name, email }) => `${name}\n${email}`);
  return {
    frame: page.frame,
    pending: page.pending.map((one) => ({
      ...one,
      url: invitationUrl(config.baseUrl, one.id, one.email),
    })),
    rows,
    state,
    role,
    ownId: visitor.userId,
    now: visitor.now,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await parseForm(request, MembersForm);
  if (!form.ok) return invalid(form.result);
  const call = await callOf({ context, params }, OWN_ACTS[form.value.intent]);
  const { value, result } = form;
  const services = mailServices(context);
  const to = href("/app/organizations/:slug/members", { slug: params.slug });
  const who = { memberId: value.member };
  switch (value.intent) {
    case "set-role":
      if (value.role === "owner") {
        const offered = await offerOwnership(call, services, who, { handsOver: false });
        return answerOffer(offered, "organizations:toast.roleChanged");
      }
      return answerChange(await changeMemberRole(call, services, who, value.role), result, {
        to,
        message: "organizations:toast.roleChanged",
      });
    case "remove":
      return answerChange(await removeMember(call, who), result, {
        to,
        message: "organizations:toast.removed",
        undo: restoreForm(to, value.member),
      });
    case "restore-member": {
      const restored = await restoreMember(call, value.member);
      if (!restored.ok && restored.code === "ORGANIZATION_NOT_FOUND") notFound();
      if (restored.ok && restored.wasOwner) {
        const offered = await offerOwnership(call, services, who, { handsOver: false });
        const message = offered.ok
          ? "organizations:toast.ownerRestored"
          : "organizations:toast.restoredAsAdmin";
        return redirectWithToast(to, { kind: "success", message });
      }
      return redirectWithToast(
        to,
        restored.ok
          ? { kind: "success", message: "organizations:toast.memberRestored" }
          : { kind: "error", message: messageOf(restored.code, RESTORE_REFUSALS) },
      );
    }
    case "transfer":
      return answerOffer(
        await handOverOwnership(call, services, who),
        "organizations:toast.transferred",
      );
  }

  /** `done` is the message for a member who was an owner already. */
  function answerOffer(offered: Awaited<ReturnType<typeof offerOwnership>>, done: CheckedMessage) {
    const isWaiting =
      !offered.ok && offered.code === "USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION";
    if (isWaiting) {
      return invalid(result, { "": ["organizations:offer.alreadyAsked"] }, { status: 409 });
    }
    const message =
      offered.ok && offered.isOffered ? ("organizations:toast.offered" as const) : done;
    return answerChange(offered, result, { to, message });
  }
}

export const clientAction = sendForm;

export default function OrganizationMembersScreen({
  loaderData,
  actionData,
}: Route.ComponentProps) {
  return (
    <OrganizationFrame frame={loaderData.frame} part="members">
      <FormErrors errors={actionData && Object.values(actionData.errors).flat()} />
      {!loaderData.frame.disabledAt && !loaderData.frame.deletionDueAt && (
        <PendingList
          slug={loaderData.frame.slug}
          count={loaderData.frame.pendingCount}
          invitations={loaderData.pending}
          now={loaderData.now}
        />
      )}
      <MemberList {...loaderData} />
    </OrganizationFrame>
  );
}
