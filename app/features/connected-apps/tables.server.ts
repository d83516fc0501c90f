import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, id, moment } from "../../db/schema/columns.ts";
import { organization } from "../../db/schema/organizations.ts";
import { session, user } from "../../db/schema/people.ts";

// better-auth's plugin reads and writes these tables under the names of `OAUTH_TABLES`. It stores
// lists as JSON in columns of text, and makes the JSON itself.

/** An app that signs people in with this site. */
export const oauthClient = sqliteTable("oauth_client", {
  id: id(),
  clientId: text("client_id").notNull().unique(),
  /** Hashes (`client-secret.ts`); null for an app that cannot keep a secret. */
  clientSecret: text("client_secret"),
  name: text("name").notNull(),
  /** Its start page. */
  uri: text("uri"),
  searchKey: text("search_key").notNull().default(""),
  redirectUris: text("redirect_uris").notNull(),
  postLogoutRedirectUris: text("post_logout_redirect_uris").notNull(),
  scopes: text("scopes").notNull(),
  tokenEndpointAuthMethod: text("token_endpoint_auth_method", {
    enum: ["none", "client_secret_basic"],
  }).notNull(),
  applicationType: text("application_type", { enum: ["web", "native"] }).notNull(),
  grantTypes: text("grant_types").notNull(),
  responseTypes: text("response_types").notNull(),
  requirePKCE: flag("require_pkce").notNull().default(true),
  /** True for an app of the operator, which people are not asked about. */
  skipConsent: flag("skip_consent").notNull().default(false),
  enableEndSession: flag("enable_end_session").notNull().default(true),
  /**
   * Where its server is told that a session has ended. Not under the plugin's name: the plugin would
   * send too, but only for sessions that better-auth itself deletes.
   */
  logoutUri: text("logout_uri"),
  /** The last try to tell it, and what came back: a status, or why there was none. */
  logoutTriedAt: moment("logout_tried_at"),
  logoutAnswer: text("logout_answer"),
  disabled: flag("disabled").notNull().default(false),
  /** The organization that it belongs to; null for an app of the site. */
  organizationId: text("organization_id").references(() => organization.id, {
    onDelete: "cascade",
  }),
  /** True when a manager has switched off an organization's app. */
  disabledBySite: flag("disabled_by_site").notNull().default(false),
  /** Name of the file in the bucket; null for initials. */
  logo: text("logo"),
  version: integer("version").notNull().default(1),
  createdBy: text("created_by").references(() => user.id, { onDelete: "set null" }),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** What managers allow others to do with apps. One row. */
export const oauthSetting = sqliteTable("oauth_setting", {
  id: integer("id").primaryKey(),
  organizationApps: flag("organization_apps").notNull().default(false),
  version: integer("version").notNull().default(1),
  updatedAt: moment("updated_at").notNull(),
});

const ofClient = () =>
  text("client_id")
    .notNull()
    .references(() => oauthClient.clientId, { onDelete: "cascade" });

const ofUser = () =>
  text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" });

/** What a consent and a token say of the same kind. */
const given = () => ({
  clientId: ofClient(),
  userId: ofUser(),
  /** The organization that the app was told of. It ends with the membership. */
  referenceId: text("reference_id"),
  scopes: text("scopes").notNull(),
  resources: text("resources"),
  requestedUserInfoClaims: text("requested_user_info_claims"),
});

/** A user's yes to an app. */
export const oauthConsent = sqliteTable("oauth_consent", {
  id: id(),
  ...given(),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

const ofToken = () => ({
  id: id(),
  /** A hash. */
  token: text("token").notNull().unique(),
  ...given(),
  authorizationCodeId: text("authorization_code_id"),
  confirmation: text("confirmation"),
  expiresAt: moment("expires_at").notNull(),
  createdAt: moment("created_at").notNull(),
  revoked: moment("revoked"),
});

/** With it an app gets new access tokens, also when the session has ended. */
export const oauthRefreshToken = sqliteTable("oauth_refresh_token", {
  ...ofToken(),
  sessionId: text("session_id").references(() => session.id, { onDelete: "set null" }),
  authTime: moment("auth_time"),
  /** How the person proved who they are then; null when it is not known. A trigger writes it. */
  provedBy: text("proved_by", { enum: ["code", "passkey", "provider"] }),
  rotatedAt: moment("rotated_at"),
  rotationReplayResponse: text("rotation_replay_response"),
  rotationReplayExpiresAt: moment("rotation_replay_expires_at"),
});

/** With it an app asks who the user is. */
export const oauthAccessToken = sqliteTable("oauth_access_token", {
  ...ofToken(),
  sessionId: text("session_id").references(() => session.id, { onDelete: "cascade" }),
  refreshId: text("refresh_id").references(() => oauthRefreshToken.id, { onDelete: "cascade" }),
});

/** A sign-in that a device without a browser has asked for. */
export const oauthDeviceCode = sqliteTable("oauth_device_code", {
  id: id(),
  /** What the device asks with. A hash. */
  deviceCode: text("device_code").notNull().unique(),
  /** What a person types. A keyed hash, because it is short. */
  userCode: text("user_code").notNull().unique(),
  clientId: ofClient(),
  scopes: text("scopes").notNull(),
  status: text("status", { enum: ["pending", "approved", "denied"] }).notNull(),
  /** Who has allowed it; null before. */
  userId: text("user_id").references(() => user.id, { onDelete: "cascade" }),
  /** The session in which it was allowed. What was not fetched ends with it. */
  sessionId: text("session_id").references(() => session.id, { onDelete: "cascade" }),
  referenceId: text("reference_id"),
  authTime: moment("auth_time"),
  /** Where the device is, and what it says it is. */
  place: text("place"),
  userAgent: text("user_agent"),
  /** How long the device must wait between two questions. */
  intervalMs: integer("interval_ms").notNull(),
  polledAt: moment("polled_at"),
  expiresAt: moment("expires_at").notNull(),
  createdAt: moment("created_at").notNull(),
});

/** An app that was told of a session, by its id in an ID token. */
export const oauthSessionApp = sqliteTable("oauth_session_app", {
  sessionId: text("session_id")
    .notNull()
    .references(() => session.id, { onDelete: "cascade" }),
  clientId: ofClient(),
  createdAt: moment("created_at").notNull(),
});

/** The end of a session of which an app is still to be told. A trigger writes it; by then the session is gone. */
export const oauthLogout = sqliteTable("oauth_logout", {
  id: id(),
  clientId: ofClient(),
  sessionId: text("session_id").notNull(),
  userId: text("user_id").notNull(),
  tries: integer("tries").notNull().default(0),
  nextTryAt: moment("next_try_at").notNull(),
  createdAt: moment("created_at").notNull(),
});

/** A call of an app that its user must approve, because a screen would ask for a fresh proof. */
export const oauthApproval = sqliteTable("oauth_approval", {
  id: id(),
  clientId: ofClient(),
  userId: ofUser(),
  callHash: text("call_hash").notNull(),
  scope: text("scope").notNull(),
  method: text("method").notNull(),
  path: text("path").notNull(),
  body: text("body"),
  title: text("title"),
  status: text("status", { enum: ["pending", "approved", "refused", "used"] }).notNull(),
  createdAt: moment("created_at").notNull(),
  expiresAt: moment("expires_at").notNull(),
});

/** A server elsewhere for which apps get tokens that it checks by itself. */
export const oauthResource = sqliteTable("oauth_resource", {
  id: id(),
  /** Its URL, the audience of the tokens. */
  identifier: text("identifier").notNull().unique(),
  name: text("name").notNull(),
  /** Seconds that a token for it counts. */
  accessTokenTtl: integer("access_token_ttl"),
  allowedScopes: text("allowed_scopes"),
  disabled: flag("disabled").notNull().default(false),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** The servers for which an app may get tokens. */
export const oauthClientResource = sqliteTable("oauth_client_resource", {
  id: id(),
  clientId: ofClient(),
  resourceId: text("resource_id")
    .notNull()
    .references(() => oauthResource.identifier, { onDelete: "cascade" }),
  createdAt: moment("created_at").notNull(),
});

/** A pair of keys that signs what apps are told. */
export const jwks = sqliteTable("jwks", {
  id: id(),
  publicKey: text("public_key").notNull(),
  /** Encrypted. */
  privateKey: text("private_key").notNull(),
  alg: text("alg"),
  crv: text("crv"),
  createdAt: moment("created_at").notNull(),
  expiresAt: moment("expires_at"),
});

/** How apps may register themselves. One row. */
export const oauthRegistrationSetting = sqliteTable("oauth_registration_setting", {
  id: integer("id").primaryKey(),
  byCall: flag("by_call").notNull().default(false),
  byDocument: flag("by_document").notNull().default(false),
  /** What such apps may ask for, as JSON. */
  scopes: text("scopes").notNull(),
  version: integer("version").notNull().default(1),
  updatedAt: moment("updated_at"),
});

/** An app that has registered itself. */
export const oauthRegistration = sqliteTable("oauth_registration", {
  clientId: text("client_id")
    .primaryKey()
    .references(() => oauthClient.clientId, { onDelete: "cascade" }),
  way: text("way", { enum: ["call", "document"] }).notNull(),
  /** When a person last allowed it, or it last got a token; triggers write it. */
  usedAt: moment("used_at"),
  /** When its document was last read, and when reading it last began. */
  readAt: moment("read_at"),
  triedAt: moment("tried_at"),
  createdAt: moment("created_at").notNull(),
});

/** The tables by the names that the plugin has for them. */
export const OAUTH_TABLES = {
  oauthClient,
  oauthConsent,
  oauthRefreshToken,
  oauthAccessToken,
  oauthResource,
  oauthClientResource,
  jwks,
};
