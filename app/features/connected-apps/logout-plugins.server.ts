import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { createAuthEndpoint } from "better-auth/api";
import { signJWT } from "better-auth/plugins/jwt";
import { z } from "zod";
import { account, session, user, verification } from "../../db/schema/schema.ts";
import type { Host } from "../../feature.server.ts";
import { betterAuthSecrets } from "../auth/gateway/auth-plugins.server.ts";
import { signingKeys } from "./provider-plugins.server.ts";
import { jwks } from "./tables.server.ts";

/** A logout token is valid for this long. Back-Channel Logout 1.0, 2.4 recommends at most two minutes. */
const TOKEN_SECONDS = 120;

const Claims = z.object({
  aud: z.string(),
  sub: z.string(),
  sid: z.string(),
  iat: z.number(),
});

/**
 * Returns a function that signs the tokens that tell apps of the end of a session, with the keys that
 * sign ID tokens. Source: OpenID Connect Back-Channel Logout 1.0, 2.4.
 */
export function logoutSigner({ config, db }: Pick<Host, "config" | "db">) {
  const keys = signingKeys({ config });
  const { api } = betterAuth({
    baseURL: config.baseUrl,
    ...betterAuthSecrets(config),
    database: drizzleAdapter(db, {
      provider: "sqlite",
      // It reads and writes the keys alone, but asks for its own tables too.
      schema: { user, session, account, verification, jwks },
      transaction: false,
    }),
    telemetry: { enabled: false },
    logger: { disabled: true },
    plugins: [
      keys,
      {
        id: "gatehouse-logout-tokens",
        endpoints: {
          signLogoutToken: createAuthEndpoint({ method: "POST", body: Claims }, (ctx) =>
            signJWT(ctx, {
              options: keys.options,
              header: { typ: "logout+jwt" },
              payload: {
                ...ctx.body,
                iss: config.baseUrl,
                exp: ctx.body.iat + TOKEN_SECONDS,
                // Another one for each try, because each is another token.
                jti: crypto.randomUUID(),
                events: { "http://schemas.openid.net/event/backchannel-logout": {} },
              },
            }),
          ),
        },
      },
    ],
  });
  return (claims: z.infer<typeof Claims>): Promise<string> => api.signLogoutToken({ body: claims });
}
