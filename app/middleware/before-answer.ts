import type { MiddlewareFunction } from "react-router";
import { refuseCall } from "../http/call-refusal.server.ts";
import { redirectWithToast } from "../http/toast.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { languageContext } from "./locale.ts";

/** Lets the features refuse a request, before its session is read: a page with a toast, a call with an error. */
export const beforeAnswer: MiddlewareFunction<Response> = (call, next) => {
  const { context, url } = call;
  const services = context.get(servicesContext);
  for (const step of services.features.beforeAnswer) {
    const refused = step(services, call);
    if (!refused) continue;
    const { code, message, back } = refused;
    if (/^\/(api|_server)\//.test(url.pathname)) {
      throw refuseCall(context.get(languageContext), { status: 403, code, message });
    }
    throw redirectWithToast(back, { kind: "info", message });
  }
  return next();
};
