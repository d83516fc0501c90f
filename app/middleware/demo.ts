import { href, type MiddlewareFunction } from "react-router";
import { isMutation } from "../http/origin.ts";
import { redirectWithToast } from "../http/toast.ts";
import { servicesContext } from "../services.server.ts";

/** What a visitor of the demonstration may post: signing in and out, and how the pages look to them. */
const OPEN = [
  "/login",
  "/sign-out",
  "/preferences",
  "/_server/",
  "/api/auth/sign-",
  "/api/auth/email-otp/",
];

/** Refuses every write of the public demonstration, in this one place. */
export const readOnlyDemo: MiddlewareFunction<Response> = ({ request, context, url }, next) => {
  const { config } = context.get(servicesContext);
  const isOpen = OPEN.some((path) => url.pathname.startsWith(path));
  if (!config.isDemo || !isMutation(request) || isOpen) return next();
  if (url.pathname.startsWith("/api/")) {
    throw Response.json({ code: "DEMO_READ_ONLY" }, { status: 403 });
  }
  const back = url.pathname === href("/onboarding") ? href("/") : url.pathname + url.search;
  throw redirectWithToast(back, { kind: "info", message: "codes:DEMO_READ_ONLY" });
};
