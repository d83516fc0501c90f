import type { RouterContextProvider } from "react-router";
import { requestContext } from "../http/request-context.ts";
import { notFound } from "../http/responses.ts";
import { servicesContext } from "../runtime/services-context.ts";

/** Answers 404 for the developer's pages, unless the host is a loopback one and there is no mail provider. */
export function requireDeveloper(context: Readonly<RouterContextProvider>): void {
  const { config } = context.get(servicesContext);
  const { isLoopback } = context.get(requestContext);
  if (config.mail.resendApiKey || !config.isLoopback || !isLoopback || config.isDemo) notFound();
}
