import { href } from "react-router";
import { z } from "zod";
import {
  deleteRepository,
  findRepository,
  RESTORE_REFUSALS,
  restoreRepository,
} from "../../features/repositories/repositories.server.ts";
import { RepositoryDetail } from "../../features/repositories/repository-detail.tsx";
import { RepositoryHeader } from "../../features/repositories/repository-header.tsx";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/document.tsx";
import { FormErrors } from "../../ui/form-errors.tsx";
import type { Route } from "./+types/repository.ts";

export const handle = { i18n: "repositories" };

const Change = z.object({ intent: z.enum(["delete", "restore"]) });

export async function loader({ context, params }: Route.LoaderArgs) {
  requireActor(context, "repository", "read");
  const { db } = context.get(servicesContext);
  const repository = (await findRepository(db, params.id)) ?? notFound();
  const { id, name, link, description, createdAt, updatedAt } = repository;
  const { now } = context.get(requestContext);
  return { repository: { id, name, link, description, createdAt, updatedAt }, now: now() };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const actor = requireActor(context, "repository", "delete");
  const form = await parseForm(request, Change);
  if (!form.ok) return invalid(form.result);
  const { db } = context.get(servicesContext);
  const list = href("/manager/repositories");
  switch (form.value.intent) {
    case "delete": {
      if (!(await deleteRepository(db, actor, params.id))) notFound();
      return redirectWithToast(list, {
        kind: "success",
        message: "repositories:toast.deleted",
        undo: { action: href("/manager/repositories/:id", { id: params.id }), intent: "restore" },
      });
    }
    case "restore": {
      const restored = await restoreRepository(db, actor, params.id);
      if (restored.ok) {
        return redirectWithToast(href("/manager/repositories/:id", { id: params.id }), {
          kind: "success",
          message: "repositories:toast.restored",
        });
      }
      if (restored.error === "there_again") {
        return redirectWithToast(href("/manager/repositories/:id", { id: params.id }), {
          kind: "info",
          message: RESTORE_REFUSALS[restored.error],
        });
      }
      return redirectWithToast(list, {
        kind: "error",
        message: RESTORE_REFUSALS[restored.error],
      });
    }
  }
}

export default function RepositoryScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { repository, now } = loaderData;
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6">
      <ScreenTitle>{repository.name}</ScreenTitle>
      <FormErrors errors={actionData?.errors[""]} />
      <RepositoryHeader id={repository.id} name={repository.name} />
      <RepositoryDetail repository={repository} now={now} />
    </div>
  );
}
