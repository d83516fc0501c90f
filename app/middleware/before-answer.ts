import type { MiddlewareFunction } from "react-router";
import { servicesContext } from "../runtime/services-context.ts";
import { languageContext } from "./locale.ts";

/** Lets the features refuse a request. */
export const beforeAnswer: MiddlewareFunction<Response> = (call, next) => {
  const services = call.context.get(servicesContext);
  const language = call.context.get(languageContext);
  for (const step of services.features.beforeAnswer) step(services, call, language);
  return next();
};
