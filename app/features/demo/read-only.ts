import { href, type MiddlewareFunction } from "react-router";
import { refuseCall } from "../../http/call-refusal.server.ts";
import { isMutation } from "../../http/origin.ts";
import { requestContext } from "../../http/request-context.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { languageContext } from "../../middleware/locale.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { SEND_CODE_PATH, SIGN_IN_PATH } from "../auth/sign-in/code-guard.server.ts";

/**
 * Whole paths that a visitor of the demonstration may post to. A prefix would also open what is added below it later.
 */
const OPEN: readonly string[] = [
  href("/login"),
  href("/login/verify"),
  href("/sign-out"),
  href("/preferences"),
  ...[SEND_CODE_PATH, SIGN_IN_PATH, "/sign-out"].map((path) =>
    href("/api/auth/*", { "*": path.slice(1) }),
  ),
];

/** Fills an empty demonstration after the answer. Refuses all writes of visitors, in this one place. */
export const readOnlyDemo: MiddlewareFunction<Response> = ({ request, context, url }, next) => {
  const { config, fillDemo } = context.get(servicesContext);
  if (!config.isDemo) return next();
  const { afterAnswer, now } = context.get(requestContext);
  afterAnswer(() => fillDemo(now()));
  if (!isMutation(request) || OPEN.includes(url.pathname)) return next();
  if (/^\/(api|_server)\//.test(url.pathname)) {
    throw refuseCall(context.get(languageContext), {
      status: 403,
      code: "DEMO_READ_ONLY",
      message: "codes:DEMO_READ_ONLY",
    });
  }
  const back = url.pathname === href("/onboarding") ? href("/") : url.pathname + url.search;
  throw redirectWithToast(back, { kind: "info", message: "codes:DEMO_READ_ONLY" });
};
