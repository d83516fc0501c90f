import { eq, sql } from "drizzle-orm";
import { compactVerify, createLocalJWKSet, decodeJwt, type JSONWebKeySet } from "jose";
import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import { isClosed } from "./consents.server.ts";
import { storedList } from "./scopes.ts";
import { keySetOf, selectKeys } from "./signing-keys.server.ts";
import { oauthClient } from "./tables.server.ts";

/** What an app asks when its user signs out. Source: OpenID Connect RP-Initiated Logout 1.0, 2. */
export type SignOutRequest = z.infer<typeof SignOutSearch>;

const text = (max: number) => z.string().max(max).optional().catch(undefined);

export const SignOutSearch = z.object({
  id_token_hint: text(8_000),
  client_id: text(200),
  post_logout_redirect_uri: text(2_048),
  state: text(1_000),
});

const Hint = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  sid: z.string().optional(),
});

type Asked = {
  /** The app's name; undefined when it is not known which one asks. */
  app: string | undefined;
  /** Where the app wants the person to be led; undefined when that is not one of its addresses. */
  location: string | undefined;
  /** True for an organization's app, to which nobody is led who is not signed in here. */
  isOfOrganization: boolean;
  /** The session in which the app was told of the person, by a token of ours; undefined without one. */
  sessionId: string | undefined;
};

const NONE: Asked = {
  app: undefined,
  location: undefined,
  isOfOrganization: false,
  sessionId: undefined,
};

/** Reads which app asks that its user be signed out, and what of its request counts. */
export async function readSignOut(
  db: Db,
  issuer: string,
  asked: SignOutRequest,
  now: Date,
): Promise<Asked> {
  const hint = asked.id_token_hint;
  const clientId = asked.client_id ?? (hint && audienceOf(hint));
  if (!clientId) return NONE;
  const [[client], keys] = await db.batch([
    db
      .select({
        name: oauthClient.name,
        isOff: sql<0 | 1>`(${oauthClient.disabled} = 1 OR ${isClosed()})`.as("is_off"),
        addresses: oauthClient.postLogoutRedirectUris,
        organizationId: oauthClient.organizationId,
      })
      .from(oauthClient)
      .where(eq(oauthClient.clientId, clientId)),
    selectKeys(db, now),
  ]);
  if (!client || client.isOff) return NONE;
  const address = asked.post_logout_redirect_uri;
  const isKnown = address !== undefined && storedList(client.addresses).includes(address);
  return {
    app: client.name,
    location: isKnown ? withState(address, asked.state) : undefined,
    isOfOrganization: client.organizationId !== null,
    sessionId: hint && (await sessionOf(hint, { issuer, clientId, keys: keySetOf(keys) })),
  };
}

function audienceOf(hint: string): string | undefined {
  try {
    const { aud } = decodeJwt(hint);
    return typeof aud === "string" ? aud : aud?.[0];
  } catch {
    return undefined;
  }
}

type Signed = { issuer: string; clientId: string; keys: JSONWebKeySet };

/** Returns the session of an ID token of ours, which may have expired. */
async function sessionOf(
  hint: string,
  { issuer, clientId, keys }: Signed,
): Promise<string | undefined> {
  try {
    const { payload } = await compactVerify(hint, createLocalJWKSet(keys), {
      algorithms: ["RS256"],
    });
    const told = Hint.parse(JSON.parse(new TextDecoder().decode(payload)));
    const isTo = [told.aud].flat().includes(clientId);
    return told.iss === issuer && isTo ? told.sid : undefined;
  } catch {
    return undefined;
  }
}

function withState(address: string, state: string | undefined): string {
  if (state === undefined) return address;
  const url = new URL(address);
  url.searchParams.set("state", state);
  return url.href;
}
