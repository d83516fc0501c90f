import type { RouterContextProvider } from "react-router";
import { type ApiDocument, openApiDocument } from "../../features/api-docs/openapi.server.ts";
import { sessionCookieName } from "../../features/auth/sessions/sessions.server.ts";
import { ApiProblem, REPOSITORY_API } from "../../features/repositories/api.ts";
import { shownBrand } from "../../features/site-settings/brand/shown-brand.ts";
import { requestContext } from "../../http/request-context.ts";
import { languageContext } from "../../middleware/locale.ts";
import { servicesContext } from "../../runtime/services-context.ts";

/** The last description of this isolate: printing all schemas takes some 50 ms of CPU. */
let last: { of: string; description: ApiDocument } | undefined;

/** Describes all calls of programs as OpenAPI 3.1. */
export async function describeApi(context: Readonly<RouterContextProvider>): Promise<ApiDocument> {
  const { publicSettings, gateway, config } = context.get(servicesContext);
  const { brand } = await publicSettings.current(context.get(requestContext).now());
  const title = shownBrand(brand, context.get(languageContext)).name;
  const of = `${config.baseUrl} ${title}`;
  if (last?.of === of) return last.description;
  const tables = { client: gateway.endpoints, own: REPOSITORY_API, problem: ApiProblem };
  const description = openApiDocument(tables, {
    title,
    version: __BUILD__.version,
    baseUrl: config.baseUrl,
    cookie: sessionCookieName(config.isSecure),
  });
  last = { of, description };
  return description;
}
