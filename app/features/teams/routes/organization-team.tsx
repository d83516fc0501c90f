import { href } from "react-router";
import { invalid, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { notFound } from "../../../http/responses.ts";
import {
  answerChange,
  callOf,
  requirePage,
  visitorOf,
} from "../../../middleware/organization-call.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import type { Refusal } from "../../organizations/standing.server.ts";
import { TEAM_ACTS } from "../acts.ts";
import { TeamForm } from "../input.ts";
import {
  addTeamMember,
  deleteTeam,
  removeTeamMember,
  renameTeam,
} from "../team-commands.server.ts";
import { TeamDetail } from "../team-detail.tsx";
import { loadTeam } from "../team-queries.server.ts";
import type { Route } from "./+types/organization-team.ts";

export const handle = { i18n: "organizations" };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db } = context.get(servicesContext);
  const page = requirePage(await loadTeam(db, visitor, params.team), url, params.slug);
  const { frame, team = notFound(), members, others } = page;
  const shown = ({ userId, name, email, avatar }: (typeof others)[number]) => ({
    userId,
    name,
    email,
    avatar,
  });
  return {
    frame,
    team,
    others: others.map(shown),
    members: members.map((one) => ({ ...shown(one), role: one.role, joinedAt: one.joinedAt })),
    ownId: visitor.userId,
    now: visitor.now,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await parseForm(request, TeamForm);
  if (!form.ok) return invalid(form.result);
  const call = await callOf({ context, params }, TEAM_ACTS.team);
  const { value, result } = form;
  const { slug, team } = params;
  const teams = href("/app/organizations/:slug/teams", { slug });
  const to = href("/app/organizations/:slug/teams/:team", { slug, team });
  switch (value.intent) {
    case "rename":
      return answerChange(found(await renameTeam(call, team, value.name)), result, {
        to,
        message: "organizations:toast.teamRenamed",
        field: "name",
      });
    case "delete":
      return answerChange(found(await deleteTeam(call, team)), result, {
        to: teams,
        message: "organizations:toast.teamDeleted",
      });
    case "add":
      return answerChange(found(await addTeamMember(call, team, value.user)), result, {
        to,
        message: "organizations:toast.teamMemberAdded",
        field: "user",
      });
    case "remove":
      return answerChange(found(await removeTeamMember(call, team, value.removed)), result, {
        to,
        message: "organizations:toast.teamMemberRemoved",
      });
  }
}

/** A team that is unknown in the organization is a 404. */
function found<Result extends { ok: true } | Refusal>(result: Result): Result {
  if (!result.ok && result.code === "TEAM_NOT_FOUND") notFound();
  return result;
}

export const clientAction = sendForm;

export default function OrganizationTeamScreen({ loaderData, actionData }: Route.ComponentProps) {
  return <TeamDetail key={loaderData.team.id} {...loaderData} result={actionData} />;
}
