import { DEVICE_GRANT } from "./device-code.ts";
import { ACR_VALUES } from "./proof-claims.ts";
import { PROVIDER } from "./provider-paths.ts";
import { APP_SCOPES } from "./scopes.ts";

/**
 * Returns what clients read before they call. Written here, because the plugin's own names what is
 * closed. `callScopes` are the permissions of the API. Sources: OpenID Connect Discovery 1.0, RFC 8414.
 */
export function providerMetadata(issuer: string, callScopes: readonly string[]) {
  const secret = ["client_secret_basic", "client_secret_post"];
  return {
    issuer,
    authorization_endpoint: issuer + PROVIDER.authorize,
    token_endpoint: issuer + PROVIDER.token,
    userinfo_endpoint: issuer + PROVIDER.userinfo,
    jwks_uri: issuer + PROVIDER.jwks,
    device_authorization_endpoint: issuer + PROVIDER.device,
    introspection_endpoint: issuer + PROVIDER.introspect,
    revocation_endpoint: issuer + PROVIDER.revoke,
    end_session_endpoint: issuer + PROVIDER.endSession,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    scopes_supported: [...APP_SCOPES, ...callScopes],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", DEVICE_GRANT],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: [...secret, "none"],
    introspection_endpoint_auth_methods_supported: secret,
    revocation_endpoint_auth_methods_supported: [...secret, "none"],
    code_challenge_methods_supported: ["S256"],
    prompt_values_supported: ["none", "login", "consent", "select_account", "create"],
    claims_supported: CLAIMS,
    acr_values_supported: ACR_VALUES,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: ["en", "fr", "ar", "sw"],
  };
}

/** Which ways there are for apps to register themselves. */
export type RegistrationWays = { byCall: boolean; byDocument: boolean };

/**
 * Returns what clients read about registering themselves; nothing of a way that is off. Sources: RFC
 * 8414; OAuth Client ID Metadata Document.
 */
export function registrationMetadata(issuer: string, { byCall, byDocument }: RegistrationWays) {
  return {
    ...(byCall && { registration_endpoint: issuer + PROVIDER.register }),
    ...(byDocument && { client_id_metadata_document_supported: true }),
  };
}

/** What an ID token and the answer of `userinfo` may say. */
export const CLAIMS: readonly string[] = [
  ...["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "at_hash", "sid"],
  ...["name", "given_name", "family_name", "picture", "email", "email_verified"],
  "organization",
];
