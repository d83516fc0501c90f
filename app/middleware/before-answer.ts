import type { MiddlewareFunction } from "react-router";
import { servicesContext } from "../runtime/services-context.ts";

/** Lets the features refuse a request. */
export const beforeAnswer: MiddlewareFunction<Response> = (call, next) => {
  for (const step of call.context.get(servicesContext).features.beforeAnswer) step(call);
  return next();
};
