import type { RouterContextProvider } from "react-router";
import { requestContext } from "../../../http/request-context.ts";
import { i18nFor } from "../../../i18n/i18n.server.ts";
import { languageContext } from "../../../middleware/locale.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { sessionCookieName } from "../../auth/sessions/sessions.server.ts";
import { ApiProblem, REPOSITORY_API } from "../../repositories/api.ts";
import { shownBrand } from "../../site-settings/brand/shown-brand.ts";
import { EVENT_API } from "../../webhooks/events-api.ts";
import { type ApiDocument, apiErrorCodes, openApiDocument } from "../docs/openapi.server.ts";

/** The product's own calls, by operation id. */
const OWN_CALLS = { ...REPOSITORY_API, ...EVENT_API };

/** Returns the codes of refusals of the product's own calls, with their texts in the reader's language. */
export function apiErrors(
  context: Readonly<RouterContextProvider>,
): [code: string, text: string][] {
  const { t } = i18nFor(context.get(languageContext));
  // The key is known only at run time.
  const translate = t as (key: string) => string;
  return apiErrorCodes(OWN_CALLS).map((code) => [code, translate(`codes:${code}`)]);
}

/** The last description of this isolate: printing all schemas takes some 50 ms of CPU. */
let last: { of: string; description: ApiDocument } | undefined;

/** Describes all calls of programs as OpenAPI 3.1. */
export async function describeApi(context: Readonly<RouterContextProvider>): Promise<ApiDocument> {
  const { publicSettings, gateway, config } = context.get(servicesContext);
  const { brand } = await publicSettings.current(context.get(requestContext).now());
  const title = shownBrand(brand, context.get(languageContext)).name;
  const of = `${config.baseUrl} ${title}`;
  if (last?.of === of) return last.description;
  const tables = { client: gateway.endpoints, own: OWN_CALLS, problem: ApiProblem };
  const description = openApiDocument(tables, {
    title,
    version: __BUILD__.version,
    baseUrl: config.baseUrl,
    cookie: sessionCookieName(config.isSecure),
  });
  last = { of, description };
  return description;
}
