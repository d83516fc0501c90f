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
import { SEARCH_TERM_MAX_LENGTH } from "../../../values/limits.ts";
import { roleCan } from "../../access/organization-permissions.ts";
import { boundedList } from "../../organizations/bounded-list.server.ts";
import { OrganizationFrame } from "../../organizations/organization-frame.tsx";
import { OWN_SHARING_ACTS } from "../acts.ts";
import { SharingForm } from "../input.ts";
import { loadRepositories } from "../shared-repositories.server.ts";
import { SharedRepositories } from "../shared-repositories.tsx";
import { shareRepository, unshareRepository } from "../sharing.server.ts";
import type { Route } from "./+types/organization-repositories.ts";

export const handle = { i18n: ["organizations", "repositories"] };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db } = context.get(servicesContext);
  const term = url.searchParams.get("share")?.trim().slice(0, SEARCH_TERM_MAX_LENGTH);
  const page = requirePage(await loadRepositories(db, visitor, term), url, params.slug);
  const { rows, state } = boundedList(page.shared, url, ({ name, link }) => `${name}\n${link}`);
  const maySee = roleCan(page.frame.role, "repository", "create");
  return {
    frame: page.frame,
    rows,
    state,
    now: visitor.now,
    search: maySee ? { term: term ?? "", found: page.found, hasMore: page.hasMore } : undefined,
  };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await parseForm(request, SharingForm);
  if (!form.ok) return invalid(form.result);
  const call = await callOf({ context, params }, OWN_SHARING_ACTS[form.value.intent]);
  const { value, result } = form;
  const to = href("/app/organizations/:slug/repositories", { slug: params.slug });
  switch (value.intent) {
    case "share":
      // The search stays open, to share more.
      return answerChange(await shareRepository(call, value.repository), result, {
        to: to + url.search,
        message: "organizations:toast.shared",
      });
    case "unshare":
      return answerChange(await unshareRepository(call, value.repository), result, {
        to,
        message: "organizations:toast.unshared",
      });
  }
}

export const clientAction = sendForm;

export default function OrganizationRepositoriesScreen({
  loaderData,
  actionData,
}: Route.ComponentProps) {
  return (
    <OrganizationFrame frame={loaderData.frame} part="repositories">
      <SharedRepositories {...loaderData} errors={actionData?.errors[""]} />
    </OrganizationFrame>
  );
}
