import { href } from "react-router";
import { invalid, type PostedForm, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { parseSearch } from "../../../http/search-params.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import type { MessageKey } from "../../../i18n/message-key.ts";
import { ListBreadcrumb } from "../../../lists/table/list-breadcrumb.tsx";
import { requireAct, requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../../ui/layout/single-column.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { can } from "../../access/permissions.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { NOTE_ACTS } from "../acts.ts";
import { NotesForm, NotesSearch } from "../input.ts";
import { MAX_METADATA, MAX_NOTES } from "../limits.ts";
import { addNote, findNotes, removeMetadata, removeNote, setMetadata } from "../notes.server.ts";
import { MetadataPanel, NotesPanel } from "../notes-screen.tsx";
import type { Route } from "./+types/user-notes.ts";

export const handle = { i18n: ["notes", "users"] };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "note", "read");
  const { db } = context.get(servicesContext);
  const found = (await findNotes(db, params.id)) ?? notFound();
  return {
    ...found,
    asked: parseSearch(url, NotesSearch).name,
    mayWrite: can(user, "note", "write"),
    now: context.get(requestContext).now(),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requirePermission(context, "note", "read");
  const form = await parseForm(request, NotesForm);
  if (!form.ok) return invalid(form.result);
  const actor = requireAct(context, NOTE_ACTS[form.value.intent]);
  return change(context, actor, params.id, form);
}

export const clientAction = sendForm;

export default function UserNotesScreen({ loaderData, actionData, params }: Route.ComponentProps) {
  const { t } = useTranslation("notes");
  const users = useTranslation("users").t;
  const { title, notes, metadata, asked, mayWrite, now } = loaderData;
  return (
    <SingleColumn>
      <ScreenTitle>{t("title")}</ScreenTitle>
      <ScreenHeader
        title={t("title")}
        breadcrumb={
          <ListBreadcrumb
            to={href("/manager/users")}
            title={users("title")}
            above={{ to: href("/manager/users/:id", params), name: title }}
          />
        }
      />
      <FormErrors errors={actionData?.errors[""]} />
      <NotesPanel notes={notes} mayWrite={mayWrite} result={actionData} now={now} />
      <MetadataPanel
        userId={params.id}
        metadata={metadata}
        asked={asked}
        mayWrite={mayWrite}
        result={actionData}
      />
    </SingleColumn>
  );
}

type Form = Pick<PostedForm, "result"> & { value: NotesForm };

async function change(
  context: Route.ActionArgs["context"],
  actor: Actor,
  userId: string,
  { value: form, result }: Form,
) {
  const { db } = context.get(servicesContext);
  const done = (message: MessageKey) =>
    redirectWithToast(href("/manager/users/:id/notes", { id: userId }), {
      kind: "success",
      message,
    });
  switch (form.intent) {
    case "add-note": {
      const added = await addNote(db, actor, userId, form.text);
      if (added.ok) return done("notes:added");
      if (added.error === "not_found") notFound();
      return invalid(result, { text: [`notes:notesFull?maximum=${MAX_NOTES}`] });
    }
    case "remove-note":
      await removeNote(db, actor, userId, form.note);
      return done("notes:removed");
    case "set-metadata": {
      const saved = await setMetadata(db, actor, userId, form);
      if (saved.ok) return done("notes:saved");
      if (saved.error === "not_found") notFound();
      if (saved.error === "full") {
        return invalid(result, { name: [`notes:metadataFull?maximum=${MAX_METADATA}`] });
      }
      const message = saved.value === undefined ? "notes:goneMeanwhile" : "notes:changedMeanwhile";
      return invalid(result, { value: [message] }, { status: 409 });
    }
    case "remove-metadata":
      await removeMetadata(db, actor, userId, form.removed);
      return done("notes:removed");
  }
}
