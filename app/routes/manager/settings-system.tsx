import { href, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { queueTestMail, selectTestMail } from "../../features/mail/test-mail.server.ts";
import { SYSTEM_ACTS } from "../../features/system/acts.ts";
import { listGaps } from "../../features/system/set-up.ts";
import { hideSetUp, selectHiddenAt } from "../../features/system/set-up-list.server.ts";
import { SystemPage } from "../../features/system/system-screen.tsx";
import { listTroubles } from "../../features/system/troubles.ts";
import { parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { getCurrentSession, requireAct, requirePermission } from "../../middleware/current-user.ts";
import { languageContext } from "../../middleware/locale.ts";
import { getSystemStatus } from "../../middleware/system-status.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/settings-system.ts";

export const handle = { i18n: ["settings", "system", "manager"] };

const SCREEN = href("/manager/settings/system");

const Change = z.object({ intent: z.enum(["test-mail", "hide-set-up", "show-set-up"]) });

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "system", "read");
  const { db, config, avatars } = context.get(servicesContext);
  const [status, [[testMail], [setUp]]] = await Promise.all([
    getSystemStatus(context),
    db.batch([selectTestMail(db), selectHiddenAt(db)]),
  ]);
  return {
    status,
    testMail,
    isListHidden: setUp?.hiddenAt != null,
    troubles: listTroubles(status),
    gaps: listGaps(config, avatars !== undefined),
    build: { version: __BUILD__.version, commit: __BUILD__.commit, time: __BUILD__.time },
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  requirePermission(context, "system", "read");
  const form = await parseForm(request, Change);
  if (!form.ok) notFound();
  const { intent } = form.value;
  const actor = requireAct(context, SYSTEM_ACTS[intent]);
  if (intent === "test-mail") return sendTestMail(context);
  const isHidden = intent === "hide-set-up";
  await hideSetUp(context.get(servicesContext).db, actor, isHidden);
  return redirectWithToast(href("/manager/dashboard"), {
    kind: "success",
    message: isHidden ? "manager:setUp.hidden" : "manager:setUp.shown",
  });
}

async function sendTestMail(context: Readonly<RouterContextProvider>) {
  const { mailer, config } = context.get(servicesContext);
  const { afterAnswer, now } = context.get(requestContext);
  const recipient = getCurrentSession(context).user.email;
  const language = context.get(languageContext);
  const link = `${config.baseUrl}${SCREEN}`;
  const send = await queueTestMail(mailer, { recipient, language, link }, now());
  if (!send)
    return redirectWithToast(SCREEN, { kind: "warning", message: "system:testMail.enough" });
  afterAnswer(send);
  return redirectWithToast(SCREEN, { kind: "info", message: "system:testMail.queued" });
}

export const clientAction = sendForm;

export default function SystemScreen({ loaderData }: Route.ComponentProps) {
  return <SystemPage {...loaderData} />;
}
