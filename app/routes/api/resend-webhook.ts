import { readBody } from "../../http/body.ts";
import { methodNotAllowed } from "../../http/method-refusal.ts";
import { languageContext } from "../../middleware/locale.ts";
import { log } from "../../runtime/log.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/resend-webhook.ts";

/** An event is about 2 kB: it names a mail and says what became of it. */
const MAX_BODY_BYTES = 32_768;

export function loader({ context }: Route.LoaderArgs) {
  return methodNotAllowed(context.get(languageContext), ["POST"]);
}

/** Takes an event of Resend's webhook. Answers with an empty body, and 404 when the webhook is not set up. */
export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== "POST") return methodNotAllowed(context.get(languageContext), ["POST"]);
  const { receiveEvent } = context.get(servicesContext).mailer;
  if (!receiveEvent) return new Response(null, { status: 404 });
  const body = await readBody(request, { maxBytes: MAX_BODY_BYTES });
  if (!body) {
    log("warn", "mail.webhook_refused", { reason: "too large" });
    return new Response(null, { status: 413 });
  }
  const { headers } = request;
  const status = await receiveEvent({ headers, body: new TextDecoder().decode(body) });
  return new Response(null, { status });
}
