import { href, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { type FormResult, invalid } from "../../../http/forms.server.ts";
import { notFound } from "../../../http/responses.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { requireActor } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import {
  changeSharing,
  SHARING_PERMISSION,
  SharingChange,
} from "../../sharing/sharing-change.server.ts";
import { deleteRepository, RESTORE_REFUSALS, restoreRepository } from "../repositories.server.ts";

/** Forms of a repository's screen in the back-office. */
export const RepositoryChange = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("delete") }),
  z.object({ intent: z.literal("restore") }),
  ...SharingChange.options,
]);

type Context = Readonly<RouterContextProvider>;
type Form = { value: z.infer<typeof RepositoryChange>; result: FormResult };

/** Runs a form of the screen. Each asks for its own permission. */
export async function changeRepository(context: Context, id: string, { value, result }: Form) {
  switch (value.intent) {
    case "delete":
      return remove(context, id);
    case "restore":
      return restore(context, id);
    case "share":
    case "unshare": {
      const [resource, permitted] = SHARING_PERMISSION;
      const act = `repository:${value.intent}`;
      const actor = requireActor(context, resource, permitted, { act });
      const changed = await changeSharing(context.get(servicesContext).db, actor, id, value);
      if (!changed.ok && value.intent === "share") {
        if (changed.code === "REPOSITORY_NOT_FOUND") notFound();
        return invalid(result, { slug: [changed.message] });
      }
      return redirectWithToast(pathOf(id), {
        kind: changed.ok ? "success" : "error",
        message: changed.message,
      });
    }
  }
}

async function remove(context: Context, id: string) {
  const actor = requireActor(context, "repository", "delete", { act: "repository:delete" });
  if (!(await deleteRepository(context.get(servicesContext).db, actor, id))) notFound();
  return redirectWithToast(href("/manager/repositories"), {
    kind: "success",
    message: "repositories:toast.deleted",
    undo: { action: pathOf(id), intent: "restore" },
  });
}

async function restore(context: Context, id: string) {
  const actor = requireActor(context, "repository", "delete", { act: "repository:restore" });
  const restored = await restoreRepository(context.get(servicesContext).db, actor, id);
  if (restored.ok) {
    return redirectWithToast(pathOf(id), {
      kind: "success",
      message: "repositories:toast.restored",
    });
  }
  const isThere = restored.error === "there_again";
  return redirectWithToast(isThere ? pathOf(id) : href("/manager/repositories"), {
    kind: isThere ? "info" : "error",
    message: RESTORE_REFUSALS[restored.error],
  });
}

function pathOf(id: string): string {
  return href("/manager/repositories/:id", { id });
}
