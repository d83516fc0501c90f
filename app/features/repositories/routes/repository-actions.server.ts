import { href, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { type FormResult, invalid } from "../../../http/forms.server.ts";
import { notFound } from "../../../http/responses.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { requireAct } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { REPOSITORY_ACTS } from "../acts.ts";
import { RESTORE_REFUSALS, repositories } from "../repositories.server.ts";

type Context = Readonly<RouterContextProvider>;

/** Returns the changes that features add to a repository's screen in the back-office. */
export function addedChanges(context: Context) {
  const { pageChanges } = context.get(servicesContext).features;
  return pageChanges.filter((one) => one.in === "repositories:office");
}

type Changes = ReturnType<typeof addedChanges>;

/** Returns the forms of a repository's screen in the back-office, with those of features. */
export function repositoryForms(ofFeatures: Changes) {
  return z.discriminatedUnion("intent", [
    z.object({ intent: z.literal("delete") }),
    z.object({ intent: z.literal("restore") }),
    ...ofFeatures.map(({ input }) => input),
  ]);
}

type Form = { value: { intent: string }; result: FormResult };

/** Runs a form of the screen. Each asks for its own permission. */
export async function changeRepository(
  context: Context,
  id: string,
  form: Form,
  ofFeatures: Changes,
) {
  switch (form.value.intent) {
    case "delete":
      return remove(context, id);
    case "restore":
      return restore(context, id);
    default:
      return change(context, id, form, ofFeatures);
  }
}

async function change(context: Context, id: string, { value, result }: Form, ofFeatures: Changes) {
  const asked = ofFeatures.find(({ input }) => input.shape.intent.value === value.intent);
  if (!asked) throw new Error(`No feature has the change "${value.intent}"`);
  const actor = requireAct(context, asked.act);
  const changed = await asked.run(context.get(servicesContext).db, actor, id, value);
  if (!changed.ok && changed.field) {
    if (changed.code === "REPOSITORY_NOT_FOUND") notFound();
    return invalid(result, { [changed.field]: [changed.message] });
  }
  return redirectWithToast(pathOf(id), {
    kind: changed.ok ? "success" : "error",
    message: changed.message,
  });
}

async function remove(context: Context, id: string) {
  const actor = requireAct(context, REPOSITORY_ACTS.delete);
  const { db } = context.get(servicesContext);
  const deleted = await repositories.remove({ db, actor }, [id]);
  if (!deleted.has(id)) notFound();
  return redirectWithToast(href("/manager/repositories"), {
    kind: "success",
    message: "repositories:toast.deleted",
    undo: { action: pathOf(id), intent: "restore" },
  });
}

async function restore(context: Context, id: string) {
  const actor = requireAct(context, REPOSITORY_ACTS.restore);
  const { db } = context.get(servicesContext);
  const error = (await repositories.restore({ db, actor }, [id])).get(id);
  if (!error) {
    return redirectWithToast(pathOf(id), {
      kind: "success",
      message: "repositories:toast.restored",
    });
  }
  const isThere = error === "there_again";
  return redirectWithToast(isThere ? pathOf(id) : href("/manager/repositories"), {
    kind: isThere ? "info" : "error",
    message: RESTORE_REFUSALS[error],
  });
}

function pathOf(id: string): string {
  return href("/manager/repositories/:id", { id });
}
