import type { RouterContextProvider } from "react-router";
import { isUnavailable } from "../../../db/bounded-d1.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { callScopesOf } from "../call-scopes.server.ts";
import { providerMetadata, registrationMetadata } from "../metadata.ts";
import { getRegistrationSettings } from "../registration.server.ts";

const ALL_OFF = { byCall: false, byDocument: false };

/** Answers with the metadata, also while the database does not answer: apps that are known need no registration. */
export async function answerMetadata(context: Readonly<RouterContextProvider>): Promise<Response> {
  const { db, config, features } = context.get(servicesContext);
  const settings = await getRegistrationSettings(db).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
    return undefined;
  });
  const issuer = config.baseUrl;
  return Response.json(
    {
      ...providerMetadata(issuer, callScopesOf(features)),
      ...registrationMetadata(issuer, settings ?? ALL_OFF),
    },
    { headers: { "Cache-Control": settings ? "public, max-age=3600" : "no-store" } },
  );
}
