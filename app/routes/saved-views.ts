import { href, redirect } from "react-router";
import { z } from "zod";
import { deleteView, saveView } from "../features/saved-views/saved-views.server.ts";
import { VIEWED_LISTS } from "../features/saved-views/viewed-lists.ts";
import { parseForm } from "../http/forms.server.ts";
import { requestContext } from "../http/request-context.ts";
import { redirectWithToast } from "../http/toast.ts";
import { VIEW_NAME_MAX_LENGTH } from "../lists/query/list-sizes.ts";
import { requireOwner } from "../middleware/current-user.ts";
import { requireUser } from "../middleware/guards.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { messageReference } from "../ui/text/message.tsx";
import type { Route } from "./+types/saved-views.ts";

export const middleware: Route.MiddlewareFunction[] = [requireUser];

const SEARCH_MAX_LENGTH = 2_000;
const list = z.enum(VIEWED_LISTS);
const search = z.string().max(SEARCH_MAX_LENGTH).default("");
const Change = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save"),
    list,
    search,
    name: z
      .string()
      .trim()
      .transform((name) => [...name].slice(0, VIEW_NAME_MAX_LENGTH).join("")),
  }),
  z.object({ intent: z.literal("delete"), list, search, id: z.string().max(64) }),
]);

export function loader() {
  return redirect(href("/"));
}

/** Saves or deletes a view of a list, and returns to the list as it was. */
export async function action({ request, context }: Route.ActionArgs) {
  const { user } = requireOwner(context);
  const form = await parseForm(request, Change);
  if (!form.ok) return redirect(href("/"));
  const change = form.value;
  const { db } = context.get(servicesContext);
  const back = change.search ? `${change.list}?${change.search}` : change.list;
  if (change.intent === "delete") {
    await deleteView(db, user.id, change.id);
    return redirectWithToast(back, { kind: "success", message: "common:views.deleted" });
  }
  const { name } = change;
  if (!name) return redirectWithToast(back, { kind: "warning", message: "common:views.nameless" });
  const { now } = context.get(requestContext);
  const isSaved = await saveView(db, { ...change, userId: user.id, now: now() });
  return isSaved
    ? redirectWithToast(back, {
        kind: "success",
        message: messageReference("common:views.saved", { name }),
      })
    : redirectWithToast(back, { kind: "warning", message: "common:views.limit" });
}
