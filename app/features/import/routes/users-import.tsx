import { href, redirect } from "react-router";
import { invalid, parseFields, readUpload } from "../../../http/forms.server.ts";
import { requestContext } from "../../../http/request-context.ts";
import {
  isProofMissing,
  requireActor,
  requirePermission,
} from "../../../middleware/current-user.ts";
import { mailServices } from "../../../middleware/mail-services.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { PROOF_REQUIRED } from "../../../ui/forms/proof.tsx";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import type { CheckedMessage } from "../../../ui/text/message.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { attemptStep } from "../import-answer.ts";
import {
  closeImport,
  type ImportRefusal,
  importNext,
  keepPieces,
  startImport,
} from "../import-commands.server.ts";
import { findOpenImport } from "../import-page.server.ts";
import { ImportScreen } from "../import-screen.tsx";
import { ImportForm } from "../input.ts";
import { MAX_POSTED_BYTES } from "../limits.ts";
import { readUploadedLines } from "../upload.server.ts";
import type { Route } from "./+types/users-import.ts";

export const handle = { i18n: ["import", "users", "validation"] };

export async function loader({ context }: Route.LoaderArgs) {
  const { user, session } = requirePermission(context, "user", "create", { act: "form" });
  const { db, config } = context.get(servicesContext);
  const own = { userId: user.id, sessionId: session.id };
  const open = await findOpenImport(db, own, context.get(requestContext).now());
  return { open, hasProvider: config.mail.resendApiKey !== undefined };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { user: manager, session } = requirePermission(context, "user", "create", { act: "form" });
  const sessionId = session.id;
  const limits = { maxFileBytes: MAX_POSTED_BYTES, discardBytes: 8 * MAX_POSTED_BYTES };
  const posted = await readUpload(request, limits);
  if (posted === "too_large") return refuse("import:problem.tooLargePosted", 413);
  const form = parseFields(posted, ImportForm);
  if (!form.ok) return invalid(form.result);
  const { intent } = form.value;
  const actor = requireActor(context, "user", "create", { act: `users:${intent}` });
  const { db, findRefusedEmails, findBannedEmails } = context.get(servicesContext);
  const services = { ...mailServices(context), findRefusedEmails, findBannedEmails };
  const isProved = !isProofMissing(context, "user.set-role");
  const importer = { actor, manager, sessionId, isProved };
  switch (form.value.intent) {
    case "upload": {
      const { file, text = "" } = form.value;
      const bytes = file?.size ? await file.arrayBuffer() : new TextEncoder().encode(text);
      const upload = await readUploadedLines(new Uint8Array(bytes));
      if (!upload.ok) return refuse(upload.error, 400, text);
      const { pieces } = upload;
      const id = crypto.randomUUID();
      const kept = await keepPieces(services, importer, { id, pieces, isLast: true });
      if (!kept.ok) return refuse(messageOf(kept.error), 400, text);
      throw redirect(href("/manager/users/import"));
    }
    case "read-lines": {
      const { import: id, position, lines, isLast } = form.value;
      const piece = { id, pieces: [{ position, lines }], isLast: isLast === "yes" };
      const kept = await keepPieces(services, importer, piece);
      return kept.ok ? { open: undefined } : refuse(messageOf(kept.error), 400);
    }
    case "import": {
      const { import: id, invites } = form.value;
      const started = await startImport(db, importer, { id, invites: invites === "yes" });
      if (!started.ok) return refuse(messageOf(started.error), 400);
      await importNext(services, importer, id);
      throw redirect(href("/manager/users/import"));
    }
    case "import-next": {
      const done = await importNext(services, importer, form.value.import);
      if (!done.ok) return refuse(messageOf(done.error), 400);
      const own = { userId: manager.id, sessionId };
      return { open: await findOpenImport(db, own, actor.source.now()) };
    }
    case "close-import": {
      await closeImport(db, actor, form.value.import);
      throw redirect(href("/manager/users/import"));
    }
  }
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return attemptStep(serverAction);
}

export default function UsersImportScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("import");
  return (
    <>
      <ScreenTitle>{t("title")}</ScreenTitle>
      <ImportScreen {...loaderData} answer={actionData} />
    </>
  );
}

function messageOf(error: ImportRefusal): CheckedMessage {
  return error === "unproved" ? PROOF_REQUIRED : `import:refusal.${error}`;
}

/** Answers with an error of the form as a whole, and what was typed. */
function refuse(error: string, status: number, text = "") {
  return invalid({ values: { text }, errors: { "": [error] } }, { "": [error] }, { status });
}
