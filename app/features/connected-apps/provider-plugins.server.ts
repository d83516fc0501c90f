import { oauthProvider } from "@better-auth/oauth-provider";
import type { BetterAuthPlugin, DBAdapter } from "better-auth";
import { jwt } from "better-auth/plugins/jwt";
import { ruleOf } from "../../db/counted-request.ts";
import type { Host } from "../../feature.server.ts";
import { DAY_MS } from "../../values/time.ts";
import type { AuthExtension } from "../auth/gateway/auth-plugins.server.ts";
import { currentScope } from "../auth/sign-in/scope.server.ts";
import { hashSecret, isSecret } from "./client-secret.ts";
import { DEVICE_GRANT } from "./device-code.ts";
import { deviceAuthorization, exchangeDeviceCode } from "./device-plugins.server.ts";
import { idTokens } from "./id-token-plugins.server.ts";
import {
  ACCESS_TOKEN_SECONDS,
  APP_CALL_LIMITS,
  CODE_SECONDS,
  REFRESH_TOKEN_DAYS,
  REPLAY_SECONDS,
} from "./limits.ts";
import { CLAIMS } from "./metadata.ts";
import { findOrganizationClaim } from "./organization-claims.server.ts";
import { pictureUrl } from "./picture-url.server.ts";
import { CONSENT_STEP, LOGIN_STEP } from "./provider-paths.ts";
import { APP_SCOPES } from "./scopes.ts";
import { KEY_DAYS, KEY_GRACE_DAYS } from "./signing-keys.server.ts";
import { OAUTH_TABLES } from "./tables.server.ts";

const DAY_SECONDS = DAY_MS / 1_000;

type ProviderHost = Pick<Host, "config" | "db" | "keys">;

/** Returns what makes better-auth an OpenID provider. What it decides, it decides. */
export function providerPlugins(host: ProviderHost): AuthExtension {
  return {
    extraPlugins: [
      moreColumns,
      signingKeys(host),
      provider(host),
      deviceAuthorization(host),
      idTokens(host),
    ],
    extraTables: OAUTH_TABLES,
    adapt: withProofAsSignIn,
  };
}

/** Columns of the core that the provider reads, and that no other call of better-auth needs. */
const moreColumns = {
  id: "gatehouse-app-columns",
  schema: {
    session: { fields: { authenticatedAt: { type: "date", required: false, input: false } } },
    user: { fields: { avatar: { type: "string", required: false, input: false } } },
  },
  // The middleware extends sessions, within their 90 days.
  init: () => ({ options: { session: { disableSessionRefresh: true } } }),
} satisfies BetterAuthPlugin;

/** RS256, because each client of OpenID Connect must know it. Source: OpenID Connect Core 1.0, 15.1. */
export function signingKeys({ config }: Pick<Host, "config">) {
  return jwt({
    disableSettingJwtHeader: true,
    jwks: {
      keyPairConfig: { alg: "RS256", modulusLength: 2_048 },
      rotationInterval: KEY_DAYS * DAY_SECONDS,
      gracePeriod: KEY_GRACE_DAYS * DAY_SECONDS,
    },
    jwt: { issuer: config.baseUrl },
  });
}

function provider({ config, db, keys }: ProviderHost) {
  const secondsOf = (limit: keyof typeof APP_CALL_LIMITS) => ruleOf(APP_CALL_LIMITS[limit]);
  return oauthProvider({
    scopes: [...APP_SCOPES],
    grantTypes: ["authorization_code", "refresh_token"],
    loginPage: LOGIN_STEP,
    consentPage: CONSENT_STEP,
    codeExpiresIn: CODE_SECONDS,
    accessTokenExpiresIn: ACCESS_TOKEN_SECONDS,
    idTokenExpiresIn: ACCESS_TOKEN_SECONDS,
    refreshTokenExpiresIn: REFRESH_TOKEN_DAYS * DAY_SECONDS,
    refreshTokenReuseInterval: REPLAY_SECONDS,
    storeTokens: { hash: hashSecret },
    storeClientSecret: {
      hash: hashSecret,
      verify: (secret, stored) => isSecret(secret, stored, currentScope().request.now()),
    },
    enforcePerClientResources: true,
    // Clients are made in the back-office. The plugin's own calls for it stay closed.
    clientPrivileges: () => false,
    postLogin: {
      page: CONSENT_STEP,
      shouldRedirect: () => false,
      consentReferenceId: () => currentScope().reference,
    },
    rateLimit: {
      authorize: secondsOf("authorize"),
      token: secondsOf("token"),
      introspect: secondsOf("introspect"),
      revoke: secondsOf("revoke"),
      userinfo: secondsOf("userinfo"),
    },
    advertisedMetadata: {
      claims_supported: [...CLAIMS],
    },
    extensions: [
      {
        grants: { [DEVICE_GRANT]: (call) => exchangeDeviceCode(db, call) },
        claims: {
          accessToken: ({ referenceId }) => (referenceId ? { organization: referenceId } : {}),
          idToken: async ({ user, scopes, referenceId }) =>
            organizationOf(user?.id, scopes, referenceId),
          userInfo: async ({ user, scopes, jwt }) =>
            organizationOf(user.id, scopes, jwt.organization),
        },
      },
    ],
    // The same in both: many libraries read only the ID token.
    customIdTokenClaims: ({ user, scopes }) => personOf(user, scopes),
    customUserInfoClaims: async ({ user, scopes }) => {
      const { picture } = await personOf(user, scopes);
      return picture ? { picture } : {};
    },
  });

  /** An organization's app has a reference also where it is not told of the organization. */
  async function organizationOf(
    userId: string | undefined,
    scopes: readonly string[],
    id: unknown,
  ) {
    const isAsked = scopes.includes("organization");
    if (userId === undefined || typeof id !== "string" || !isAsked) return {};
    const organization = await findOrganizationClaim(db, id, userId);
    return organization ? { organization } : {};
  }

  async function personOf(user: Record<string, unknown>, scopes: readonly string[]) {
    const { name, email, emailVerified, avatar } = user;
    const hasPicture = scopes.includes("profile") && typeof avatar === "string";
    return {
      ...(scopes.includes("profile") && { name }),
      ...(hasPicture && { picture: await pictureUrl({ keys, config }, avatar) }),
      ...(scopes.includes("email") && { email, email_verified: emailVerified }),
    };
  }
}

/**
 * Returns an adapter that dates a session by its last proof. The provider tells apps when the person
 * signed in (`auth_time`), and a fresh code or passkey is no less than a new sign-in.
 */
function withProofAsSignIn(adapter: DBAdapter): DBAdapter {
  const dated = <Row>(model: string, row: Row): Row => {
    if (model !== "session" || row === null || typeof row !== "object") return row;
    const { createdAt, authenticatedAt, passkeyProvedAt } = row as Record<string, unknown>;
    const times = [createdAt, authenticatedAt, passkeyProvedAt].filter((at) => at instanceof Date);
    const newest = Math.max(...times.map((at) => at.getTime()));
    return times.length > 0 ? { ...row, createdAt: new Date(newest) } : row;
  };
  return {
    ...adapter,
    findOne: async (query) => dated(query.model, await adapter.findOne(query)) as never,
    findMany: async (query) =>
      (await adapter.findMany(query)).map((row) => dated(query.model, row)) as never,
  };
}
