import { z } from "zod";
import { OwnName } from "../../values/person-name.ts";
import { DEVICE_GRANT } from "./device-code.ts";
import { APP_NAME_MAX_LENGTH, APP_URL_MAX_LENGTH, MAX_REGISTERED_URIS } from "./limits.ts";
import { isOnOwnMachine, isRedirectUri } from "./redirect-uris.ts";
import { inOrder } from "./scopes.ts";

// What an app says of itself when it registers. What is not read here is ignored, as RFC 7591, 2 asks.

const GRANT_TYPES = ["authorization_code", "refresh_token", DEVICE_GRANT] as const;

/** What nobody sees, but the characters that are spelling in some scripts (record 027). */
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\u180b-\u180d\u180f\ufe00-\ufe0f]]/v;

const Name = OwnName.refine((name) => name.length <= APP_NAME_MAX_LENGTH && !INVISIBLE.test(name));

const RedirectUris = z
  .array(z.string().max(APP_URL_MAX_LENGTH).refine(isRedirectUri))
  .min(1)
  .max(MAX_REGISTERED_URIS);

const Metadata = z.object({
  redirect_uris: RedirectUris,
  client_name: Name.nullish(),
  application_type: z.enum(["web", "native"]).nullish(),
  token_endpoint_auth_method: z.literal("none").nullish(),
  grant_types: z
    .array(z.enum(GRANT_TYPES))
    .refine((types) => types.includes("authorization_code"))
    .nullish(),
  response_types: z.array(z.literal("code")).min(1).nullish(),
  scope: z
    .string()
    .max(1_000)
    .transform((text) => text.split(" ").filter((word) => word !== ""))
    .nullish(),
  subject_type: z.literal("public").nullish(),
  id_token_signed_response_alg: z.literal("RS256").nullish(),
});

type Field = keyof typeof Metadata.shape;

const REASONS: Record<Field, string> = {
  redirect_uris: `redirect_uris must be one to ${MAX_REGISTERED_URIS} URIs that begin with https, with http on the own machine, or with a scheme such as com.example.app:/, spelled as browsers do, without fragment, wildcard and user name`,
  client_name: `client_name must have at most ${APP_NAME_MAX_LENGTH} characters, all visible, and be no link`,
  application_type: "application_type must be web or native",
  token_endpoint_auth_method: "token_endpoint_auth_method must be none: such an app has no secret",
  grant_types: `grant_types must have authorization_code, and beside it no other than ${GRANT_TYPES.slice(1).join(" and ")}`,
  response_types: "response_types must be code",
  scope: "scope has a value that there is not",
  subject_type: "subject_type must be public",
  id_token_signed_response_alg: "id_token_signed_response_alg must be RS256",
};

/** What is kept of an app that registers itself. */
export type ClientMetadata = {
  name: string;
  redirectUris: string[];
  grants: string[];
  /** What it would like to ask for; undefined when it does not say. */
  scopes: string[] | undefined;
};

type MetadataError = {
  error: "invalid_redirect_uri" | "invalid_client_metadata";
  description: string;
};

type ReadMetadata = { ok: true; metadata: ClientMetadata } | ({ ok: false } & MetadataError);

/** What the product is: its origin, to which no app elsewhere leads, and the scopes that there are. */
export type Here = { origin: string; scopes: readonly string[] };

/**
 * Reads what an app says of itself. Sources: RFC 7591, 2 and 3.2.2; OpenID Connect Registration
 * 1.0, 2.
 */
export function readClientMetadata(sent: unknown, here: Here): ReadMetadata {
  const read = Metadata.safeParse(sent);
  if (!read.success) {
    const field = read.error.issues[0]?.path[0];
    const isKnown = typeof field === "string" && Object.hasOwn(REASONS, field);
    return refused(isKnown ? (field as Field) : undefined);
  }
  const {
    redirect_uris: uris,
    application_type: type,
    client_name,
    grant_types,
    scope,
  } = read.data;
  const redirectUris = [...new Set(uris)];
  const isHere = redirectUris.some((uri) => new URL(uri).origin === here.origin);
  const isWeb = redirectUris.every((uri) => new URL(uri).protocol === "https:");
  if (isHere || (type === "web" && !isWeb)) return refused("redirect_uris");
  if (scope?.some((one) => !here.scopes.includes(one))) return refused("scope");
  const [first = ""] = redirectUris;
  return {
    ok: true,
    metadata: {
      name: client_name ?? placeOf(first),
      redirectUris,
      grants: [...new Set(grant_types ?? ["authorization_code", "refresh_token"])],
      scopes: scope ? inOrder(scope) : undefined,
    },
  };
}

function refused(field: Field | undefined): ReadMetadata {
  return {
    ok: false,
    error: field === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata",
    description: field ? REASONS[field] : "The body must be a JSON object with client metadata",
  };
}

/** A host, or the scheme of an app on a device. */
function placeOf(uri: string): string {
  const { host, protocol } = new URL(uri);
  return (host || protocol.slice(0, -1)).slice(0, APP_NAME_MAX_LENGTH);
}

/**
 * Reads the document of an app, whose URL is its client ID; undefined when it is not that app's, or
 * asks for what there is not. It is written for all sites, so scopes and grants that there are not
 * are left out. Source: draft-ietf-oauth-client-id-metadata-document, 4.
 */
export function readClientDocument(
  document: unknown,
  url: string,
  here: Here,
): ClientMetadata | undefined {
  const read = Document.safeParse(document);
  if (!read.success || read.data.client_id !== url) return undefined;
  const { scope, grant_types: grants, ...rest } = read.data;
  const known = grants?.filter((one) => GRANT_TYPES.some((grant) => grant === one));
  const scopes = scope
    ?.split(" ")
    .filter((one) => here.scopes.includes(one))
    .join(" ");
  const found = readClientMetadata({ ...rest, scope: scopes, grant_types: known }, here);
  if (!found.ok) return undefined;
  const { origin } = new URL(url);
  const areOwn = found.metadata.redirectUris.every(
    (uri) => isOnOwnMachine(uri) || new URL(uri).origin === origin,
  );
  return areOwn ? found.metadata : undefined;
}

const Document = z.looseObject({
  client_id: z.string(),
  client_name: z.string(),
  client_secret: z.undefined().optional(),
  grant_types: z.array(z.string()).nullish(),
  scope: z.string().nullish(),
});
