import {
  getOAuthProviderApi,
  type OAuthExtensionGrantHandlerInput,
} from "@better-auth/oauth-provider";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { and, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { ruleOf } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import type { Host } from "../../feature.server.ts";
import { currentScope } from "../auth/sign-in/scope.server.ts";
import { hashSecret, newSecret } from "./client-secret.ts";
import { isClosed } from "./consents.server.ts";
import { DEVICE_GRANT, newUserCode, shownUserCode } from "./device-code.ts";
import { hashUserCode } from "./devices.server.ts";
import { APP_CALL_LIMITS, DEVICE_CODE_SECONDS, DEVICE_INTERVAL_SECONDS } from "./limits.ts";
import { storedList } from "./scopes.ts";
import { oauthClient, oauthDeviceCode } from "./tables.server.ts";

// better-auth's own plugin for it stores both codes as they are, tells no organization and approves
// in two steps. Its provider checks the app and makes the tokens here too.

const PATH = "/oauth2/device";
const INTERVAL_MS = DEVICE_INTERVAL_SECONDS * 1_000;
/** A question may be so much earlier: the network does not keep time. */
const EARLY_MS = 1_000;

const RequestForm = z.object({
  client_id: z.string().optional(),
  scope: z.string().max(1_000).optional(),
  resource: z.unknown().optional(),
});

/** The call with which a device begins. Source: RFC 8628, 3.1. */
export function deviceAuthorization({ config, db, keys }: Pick<Host, "config" | "db" | "keys">) {
  return {
    id: "gatehouse-device-authorization",
    rateLimit: [{ pathMatcher: (path) => path === PATH, ...ruleOf(APP_CALL_LIMITS.device) }],
    endpoints: {
      requestDeviceCode: createAuthEndpoint(
        PATH,
        {
          method: "POST",
          body: RequestForm,
          cloneRequest: true,
          metadata: { allowedMediaTypes: ["application/x-www-form-urlencoded"] },
        },
        async (ctx) => {
          const provider = ctx.context.getPlugin("oauth-provider");
          if (!provider) throw new Error("There is no provider");
          if (ctx.body.resource !== undefined) refuseResource();
          const asked = wordsOf(ctx.body.scope);
          const scopes = asked.length > 0 ? asked : ["openid"];
          const { clientId } = await getOAuthProviderApi(
            ctx,
            provider.options,
            DEVICE_GRANT,
          ).authenticateClient({ scopes, requireCredentials: false });
          const { request } = currentScope();
          const now = request.now();
          const [deviceCode, userCode] = [newSecret(), newUserCode()];
          const row = rowValues(oauthDeviceCode, {
            id: crypto.randomUUID(),
            deviceCode: await hashSecret(deviceCode),
            userCode: await hashUserCode(keys, userCode),
            clientId,
            scopes: JSON.stringify(scopes),
            status: "pending",
            userId: null,
            sessionId: null,
            referenceId: null,
            authTime: null,
            polledAt: null,
            place: request.location ?? null,
            userAgent: request.userAgent ?? null,
            intervalMs: INTERVAL_MS,
            expiresAt: new Date(now.getTime() + DEVICE_CODE_SECONDS * 1_000),
            createdAt: now,
          });
          // The app of an organization that is closed is as if it were switched off.
          const isOpen = sql`NOT EXISTS (SELECT 1 FROM ${oauthClient}
            WHERE ${oauthClient.clientId} = ${clientId} AND ${isClosed()})`;
          const { meta } = await db
            .insert(oauthDeviceCode)
            .select(sql`SELECT ${row} WHERE ${isOpen}`);
          if (meta.changes === 0) throw refusal("invalid_client", "client is disabled");
          const shown = shownUserCode(userCode);
          const page = `${config.baseUrl}/device`;
          return ctx.json({
            device_code: deviceCode,
            user_code: shown,
            verification_uri: page,
            verification_uri_complete: `${page}?code=${shown}`,
            expires_in: DEVICE_CODE_SECONDS,
            interval: DEVICE_INTERVAL_SECONDS,
          });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}

const TokenForm = z.object({
  device_code: z.string().min(1).max(200),
  resource: z.undefined().optional(),
});

/**
 * Answers a device that asks whether its person has allowed it. The row is deleted before tokens are
 * made of it, so that no two calls get some. Source: RFC 8628, 3.4 and 3.5.
 */
export async function exchangeDeviceCode(
  db: Db,
  { ctx, provider }: OAuthExtensionGrantHandlerInput,
) {
  const { client } = await provider.authenticateClient({ requireCredentials: false });
  const form = TokenForm.safeParse(ctx.body);
  if (!form.success) {
    if (form.error.issues.some(({ path }) => path[0] === "resource")) refuseResource();
    throw refusal("invalid_request", "device_code is required");
  }
  const now = currentScope().request.now();
  const isOf = and(
    eq(oauthDeviceCode.deviceCode, await hashSecret(form.data.device_code)),
    eq(oauthDeviceCode.clientId, client.clientId),
  );
  const isTooEarly = sql`coalesce(${oauthDeviceCode.polledAt} + ${oauthDeviceCode.intervalMs}, 0) > ${now.getTime() + EARLY_MS}`;
  const isReady = and(
    isOf,
    eq(oauthDeviceCode.status, "approved"),
    gt(oauthDeviceCode.expiresAt, now),
    sql`NOT ${isTooEarly}`,
  );
  const [[asked], [allowed]] = await db.batch([
    db
      .select({
        status: oauthDeviceCode.status,
        expiresAt: oauthDeviceCode.expiresAt,
        isTooEarly: sql<0 | 1>`${isTooEarly}`.as("is_too_early"),
      })
      .from(oauthDeviceCode)
      .where(isOf),
    db.delete(oauthDeviceCode).where(isReady).returning(),
    db
      .update(oauthDeviceCode)
      .set({
        polledAt: now,
        intervalMs: sql`${oauthDeviceCode.intervalMs} + iif(${isTooEarly}, ${INTERVAL_MS}, 0)`,
      })
      .where(isOf),
  ]);
  if (!asked) throw refusal("invalid_grant", "The device code is not known, or was used");
  if (asked.expiresAt <= now) throw refusal("expired_token", "The device code has expired");
  if (asked.isTooEarly) throw refusal("slow_down", "Ask less often");
  if (asked.status === "denied") throw refusal("access_denied", "The person refused");
  if (asked.status === "pending") {
    throw refusal("authorization_pending", "The person has not answered yet");
  }
  const { userId, sessionId, referenceId, authTime, scopes } = allowed ?? {};
  const user = userId ? await ctx.context.internalAdapter.findUserById(userId) : null;
  if (!user || !sessionId) throw refusal("invalid_grant", "The device code was used");
  return provider.issueTokens({
    client,
    scopes: storedList(scopes ?? "[]"),
    user,
    sessionId,
    ...(referenceId && { referenceId }),
    ...(authTime && { authTime }),
  });
}

function wordsOf(text: string | undefined): string[] {
  return [...new Set((text ?? "").split(" ").filter((word) => word !== ""))];
}

function refuseResource(): never {
  throw refusal("invalid_target", "A device gets tokens for userinfo only");
}

function refusal(error: string, description: string): APIError {
  return new APIError("BAD_REQUEST", { error, error_description: description });
}
