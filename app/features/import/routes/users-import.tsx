import { href, redirect } from "react-router";
import { invalid, parseFields, readUpload } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import {
  isProofMissing,
  requireAct,
  requirePermission,
  requireProof,
} from "../../../middleware/current-user.ts";
import { languageContext } from "../../../middleware/locale.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { type CheckedMessage, messageReference } from "../../../ui/text/message.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { IMPORT_ACTS } from "../acts.ts";
import { ringImport } from "../import-alarm.server.ts";
import {
  closeImport,
  continueImport,
  type ImportRefusal,
  keepLines,
  startImport,
  stopImport,
} from "../import-commands.server.ts";
import { findOpenImport } from "../import-page.server.ts";
import { ImportScreen } from "../import-screen.tsx";
import { ImportForm } from "../input.ts";
import { MAX_FILE_BYTES, MAX_LINES } from "../limits.ts";
import { readLines } from "../read-lines.server.ts";
import type { Route } from "./+types/users-import.ts";

export const handle = { i18n: ["import", "users", "validation"] };

export async function loader({ context }: Route.LoaderArgs) {
  const { user, session } = requirePermission(context, "user", "create", { isProofLater: true });
  const { db, config } = context.get(servicesContext);
  const own = { userId: user.id, sessionId: session.id };
  const open = await findOpenImport(db, own, context.get(requestContext).now());
  return { open, hasProvider: config.mail.resendApiKey !== undefined, plan: config.plan };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { user: manager, session } = requirePermission(context, "user", "create", {
    isProofLater: true,
  });
  const limits = { maxFileBytes: MAX_FILE_BYTES, discardBytes: 8 * MAX_FILE_BYTES };
  const posted = await readUpload(request, limits);
  if (posted === "too_large") return refuse("import:problem.tooLarge", 413);
  const form = parseFields(posted, ImportForm);
  if (!form.ok) return invalid(form.result);
  const { intent } = form.value;
  const actor = requireAct(context, IMPORT_ACTS[intent]);
  const { db, keys, config, ring } = context.get(servicesContext);
  const language = context.get(languageContext);
  const isProved = !isProofMissing(context, "user.set-role");
  const importer = { actor, manager, sessionId: session.id, isProved };
  const maxLines = MAX_LINES[config.plan];
  switch (form.value.intent) {
    case "upload": {
      const { file, text = "" } = form.value;
      const bytes = file?.size ? await file.arrayBuffer() : new TextEncoder().encode(text);
      const read = await readLines(new Uint8Array(bytes));
      if (!read.ok) return refuse(read.error, 400, text);
      const { lines } = read;
      const rules = { db, keys, adminEmails: config.adminEmails };
      const kept = await keepLines(rules, importer, { lines, language, maxLines });
      // Whether a line gives a manager's role is known only after reading it.
      if (!kept.ok && kept.error === "unproved") requireProof(context, "user.set-role");
      if (!kept.ok) return refuse(messageOf(kept.error, maxLines), 400, text);
      break;
    }
    case "import": {
      const { import: id, invites } = form.value;
      const given = { id, invites: invites === "yes", language };
      const started = await startImport(db, importer, given);
      if (!started.ok) return refuse(messageOf(started.error, maxLines), 400);
      await ringImport(ring, id);
      break;
    }
    case "stop-import": {
      await stopImport(db, actor, form.value.import);
      break;
    }
    case "continue-import": {
      const { import: id } = form.value;
      const continued = await continueImport(db, importer, id);
      if (!continued.ok) return refuse(messageOf(continued.error, maxLines), 400);
      await ringImport(ring, id);
      break;
    }
    case "close-import": {
      await closeImport(db, actor, form.value.import);
      break;
    }
  }
  throw redirect(href("/manager/users/import"));
}

export const clientAction = sendForm;

export default function UsersImportScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("import");
  return (
    <>
      <ScreenTitle>{t("title")}</ScreenTitle>
      <ImportScreen {...loaderData} result={actionData} />
    </>
  );
}

function messageOf(error: ImportRefusal, maximum: number): CheckedMessage {
  if (error === "unproved") return "codes:SESSION_EXPIRED";
  if (error === "empty") return "import:problem.empty";
  if (error === "tooMany") return messageReference("import:problem.tooMany", { maximum });
  return `import:refusal.${error}`;
}

/** Answers with an error of the form as a whole, and what was typed. */
function refuse(error: string, status: number, text = "") {
  return invalid({ values: { text }, errors: { "": [error] } }, { "": [error] }, { status });
}
