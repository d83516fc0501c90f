import { href, type MiddlewareFunction } from "react-router";
import { refuseCall } from "../http/call-refusal.server.ts";
import { isMutation } from "../http/origin.ts";
import { requestContext } from "../http/request-context.ts";
import { redirectWithToast } from "../http/toast.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { languageContext } from "./locale.ts";

/** Paths that a visitor of the demonstration may post to: sign-in, sign-out, and preferences. */
const OPEN = [
  "/login",
  "/sign-out",
  "/preferences",
  "/_server/",
  "/api/auth/sign-",
  "/api/auth/email-otp/",
];

/** Fills an empty demonstration after the answer. Refuses all writes of visitors, in this one place. */
export const readOnlyDemo: MiddlewareFunction<Response> = ({ request, context, url }, next) => {
  const { config, fillDemo } = context.get(servicesContext);
  if (!config.isDemo) return next();
  const { afterAnswer, now } = context.get(requestContext);
  afterAnswer(() => fillDemo(now()));
  const isOpen = OPEN.some((path) => url.pathname.startsWith(path));
  if (!isMutation(request) || isOpen) return next();
  if (url.pathname.startsWith("/api/")) {
    throw refuseCall(context.get(languageContext), {
      status: 403,
      code: "DEMO_READ_ONLY",
      message: "codes:DEMO_READ_ONLY",
    });
  }
  const back = url.pathname === href("/onboarding") ? href("/") : url.pathname + url.search;
  throw redirectWithToast(back, { kind: "info", message: "codes:DEMO_READ_ONLY" });
};
