import { href } from "react-router";
import { invalid, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import {
  answerChange,
  callOf,
  requirePage,
  visitorOf,
} from "../../../middleware/organization-call.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { OrganizationFrame } from "../../organizations/organization-frame.tsx";
import { TEAM_ACTS } from "../acts.ts";
import { TeamsForm } from "../input.ts";
import { createTeam } from "../team-commands.server.ts";
import { TeamList } from "../team-list.tsx";
import { loadTeams } from "../team-queries.server.ts";
import type { Route } from "./+types/organization-teams.ts";

export const handle = { i18n: "organizations" };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db } = context.get(servicesContext);
  return requirePage(await loadTeams(db, visitor), url, params.slug);
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await parseForm(request, TeamsForm);
  if (!form.ok) return invalid(form.result);
  const call = await callOf({ context, params }, TEAM_ACTS.team);
  const created = await createTeam(call, form.value.name);
  const { slug } = params;
  const to = created.ok
    ? href("/app/organizations/:slug/teams/:team", { slug, team: created.id })
    : href("/app/organizations/:slug/teams", { slug });
  const message = "organizations:toast.teamCreated";
  return answerChange(created, form.result, { to, message, field: "name" });
}

export const clientAction = sendForm;

export default function OrganizationTeamsScreen({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <OrganizationFrame frame={loaderData.frame} part="teams">
      <TeamList {...loaderData} result={actionData} />
    </OrganizationFrame>
  );
}
