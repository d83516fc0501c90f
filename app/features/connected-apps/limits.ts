import type { RateLimit } from "../../values/rate-limits.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../values/time.ts";

/** Apps that managers may register. One must be deleted before another is added. */
export const MAX_APPS = 200;
/** Apps that the owners of one organization may register for it. */
export const MAX_ORGANIZATION_APPS = 10;
export const MAX_REDIRECT_URIS = 20;
/** Scopes in one form. */
export const MAX_SCOPES = 100;
/** Other servers for which one app gets tokens. */
export const MAX_APIS = 10;
export const APP_NAME_MAX_LENGTH = 60;
export const APP_URL_MAX_LENGTH = 500;
/** Redirect URIs as they are typed, in characters. A refused form gives so many back. */
export const URIS_MAX_LENGTH = 5_000;

/** A call takes no larger request than this. */
export const MAX_CALL_BYTES = 16_384;

export const CODE_SECONDS = 120;
export const ACCESS_TOKEN_SECONDS = 3_600;
/**
 * A token for another server. That server checks it by itself, and hears of no ban, so it is short.
 */
export const API_TOKEN_SECONDS = 300;
export const REFRESH_TOKEN_DAYS = 30;
/** For this long the answer to a refresh is given again to an app that did not receive it. */
export const REPLAY_SECONDS = 60;

/** For this long a device may be signed in by its code. */
export const DEVICE_CODE_SECONDS = 600;
/** A device asks no more often. Each question that comes too early makes its interval so much longer. */
export const DEVICE_INTERVAL_SECONDS = 5;

/** For this long a person may approve a call, and the app may then make it. */
export const APPROVAL_MINUTES = 10;

/** Calls of the API by one app for one user; and calls that wait for their approval, by all apps. */
export const API_LIMITS = {
  calls: { by: "app and user", max: 600, windowMs: MINUTE_MS, beyond: "TOO_MANY_REQUESTS" },
  approvals: { by: "user", max: 30, windowMs: HOUR_MS, beyond: "TOO_MANY_REQUESTS" },
} as const satisfies Record<string, RateLimit>;

/**
 * Calls of apps by IP address. All people of an app with a server come from one address, so they are
 * wide: they end only loops and guessing.
 */
const perMinute = (max: number): RateLimit => ({
  by: "IP address",
  max,
  windowMs: MINUTE_MS,
  beyond: "429",
});

export const APP_CALL_LIMITS = {
  authorize: perMinute(120),
  token: perMinute(600),
  introspect: perMinute(1_200),
  revoke: perMinute(600),
  userinfo: perMinute(1_200),
  device: perMinute(30),
} as const satisfies Record<string, RateLimit>;

export const OWNED_APP_LIMITS = {
  /** New apps of organizations. */
  made: { by: "user", max: 20, windowMs: DAY_MS, beyond: "TOO_MANY_REQUESTS" },
} as const satisfies Record<string, RateLimit>;

/** Codes of devices that were typed and are not there. Beyond, no code is looked at, right or wrong. */
const wrongCodes = (by: RateLimit["by"], max: number): RateLimit => ({
  by,
  max,
  windowMs: HOUR_MS,
  beyond: "TOO_MANY_REQUESTS",
});

export const DEVICE_CODE_LIMITS = {
  wrongOfUser: wrongCodes("user", 10),
  wrongOfAddress: wrongCodes("IP address", 50),
} as const satisfies Record<string, RateLimit>;

/** Apps that have registered themselves. Those that managers add have a room of their own. */
export const MAX_REGISTERED_APPS = 500;
export const MAX_REGISTERED_URIS = 5;
/** An app that registered itself is deleted after this time if nobody has allowed it. */
export const UNALLOWED_MS = DAY_MS;
/** It is also deleted after this time without use. */
export const UNUSED_MS = 90 * DAY_MS;

/** The document of an app is read again when the last reading is older than this. */
export const DOCUMENT_FRESH_MS = DAY_MS;
/** While it cannot be read, the last reading counts for this long. */
export const DOCUMENT_KEPT_MS = 7 * DAY_MS;
/** In this time it is tried once. */
export const DOCUMENT_RETRY_MS = 10 * MINUTE_MS;
export const DOCUMENT_TIMEOUT_MS = 5_000;
export const MAX_DOCUMENT_BYTES = 5_120;

export const REGISTRATION_LIMITS = {
  /** Calls that register an app, the refused ones included. */
  calls: perMinute(10),
  /** Apps that are registered by a call. */
  apps: { by: "network", max: 10, windowMs: HOUR_MS, beyond: "429" },
  /** Documents that are read. */
  documents: { by: "network", max: 20, windowMs: HOUR_MS, beyond: "too_many_requests" },
  documentsOfHost: { by: "host", max: 60, windowMs: HOUR_MS, beyond: "too_many_requests" },
} as const satisfies Record<string, RateLimit>;
