import type { RouterContextProvider } from "react-router";
import { problemTexts } from "../../../http/problem.server.ts";
import { requestContext } from "../../../http/request-context.ts";
import { i18nFor } from "../../../i18n/i18n.server.ts";
import { languageContext } from "../../../middleware/locale.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { sessionCookieName } from "../../auth/sessions/sessions.server.ts";
import { shownBrand } from "../../site-settings/brand/shown-brand.ts";
import { type ApiDocument, apiErrorCodes, openApiDocument } from "../docs/openapi.server.ts";

/** Returns the codes of refusals of the product's own calls, with their texts in the reader's language. */
export function apiErrors(
  context: Readonly<RouterContextProvider>,
): [code: string, text: string][] {
  const { t } = i18nFor(context.get(languageContext));
  // The key is known only at run time.
  const translate = t as (key: string[]) => string;
  const { features } = context.get(servicesContext);
  return apiErrorCodes({ own: features.api, apps: features.appCallers }).map((code) => [
    code,
    translate(problemTexts(code)),
  ]);
}

/** The last description of this isolate: printing all schemas takes some 50 ms of CPU. */
let last: { of: string; description: ApiDocument } | undefined;

/** Describes all calls of programs as OpenAPI 3.1. */
export async function describeApi(context: Readonly<RouterContextProvider>): Promise<ApiDocument> {
  const { publicSettings, gateway, config, features } = context.get(servicesContext);
  const { brand } = await publicSettings.current(context.get(requestContext).now());
  const title = shownBrand(brand, context.get(languageContext)).name;
  const of = `${config.baseUrl} ${title}`;
  if (last?.of === of) return last.description;
  const { api: own, appCallers: apps } = features;
  const tables = { client: gateway.endpoints, own, apps };
  const description = openApiDocument(tables, {
    title,
    version: __BUILD__.version,
    baseUrl: config.baseUrl,
    cookie: sessionCookieName(config.isSecure),
  });
  last = { of, description };
  return description;
}
