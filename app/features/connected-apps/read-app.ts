import type { MessageKey } from "../../i18n/message-key.ts";
import { isolateLtr } from "../../ui/text/isolate.ts";
import { messageReference } from "../../ui/text/message.tsx";
import { APP_URL_MAX_LENGTH, MAX_APIS, MAX_REDIRECT_URIS } from "./limits.ts";
import type { TypedApp } from "./office-input.ts";
import { type AppKind, readApiUrls, readRedirectUris, type UriRefusal } from "./redirect-uris.ts";
import { inOrder, isAppScope } from "./scopes.ts";

/** The fields of an app with URIs, of which the first must have one. */
type UriField = "redirectUris" | "afterSignOut" | "apis";

const ERRORS: Record<Exclude<UriRefusal, "scheme">, MessageKey> = {
  tooLong: "connected-apps:office.uris.tooLong",
  invalid: "connected-apps:office.uris.invalid",
  fragment: "connected-apps:office.uris.fragment",
  wildcard: "connected-apps:office.uris.wildcard",
  userInfo: "connected-apps:office.uris.userInfo",
  spelling: "connected-apps:office.uris.spelling",
};

const SCHEMES: Record<AppKind, MessageKey> = {
  server: "connected-apps:office.uris.scheme",
  public: "connected-apps:office.uris.schemePublic",
};

/** What a manager says of an app. Its lists have their order, and no two equal. */
export type AppInput = Pick<TypedApp, "name" | "uri" | "logoutUri" | "scopes" | "skipConsent"> &
  Record<UriField, string[]>;

/**
 * Checks what no schema knows. Each app asks who the person is. `callScopes` are the permissions that
 * apps may be given; others are left out.
 */
export function readApp(typed: TypedApp, kind: AppKind, callScopes: readonly string[]) {
  const redirectUris = readRedirectUris(typed.redirectUris, kind);
  const afterSignOut = readRedirectUris(typed.afterSignOut, kind);
  const apis = readApiUrls(typed.apis);
  const { name, uri, logoutUri, skipConsent } = typed;
  const isTellable = logoutUri === null || kind === "server";
  if (redirectUris.ok && redirectUris.uris.length > 0 && afterSignOut.ok && apis.ok && isTellable) {
    const input: AppInput = {
      name,
      uri,
      redirectUris: redirectUris.uris,
      afterSignOut: afterSignOut.uris,
      logoutUri,
      // Their order means nothing, so another one is no change.
      apis: apis.uris.toSorted(),
      scopes: inOrder(["openid", ...typed.scopes.filter(isKnown)]),
      skipConsent,
    };
    return { ok: true as const, input };
  }
  const errors = {
    ...uriErrors("redirectUris", redirectUris, kind),
    ...uriErrors("afterSignOut", afterSignOut, kind),
    ...(!isTellable && { logoutUri: ["connected-apps:office.logoutUriPublic"] }),
    ...uriErrors("apis", apis, "server"),
  };
  return { ok: false as const, errors };

  function isKnown(scope: string): boolean {
    return isAppScope(scope) || callScopes.includes(scope);
  }
}

/** Returns the error of a field with URIs, by the field; nothing for a valid one. */
function uriErrors(
  field: UriField,
  read: ReturnType<typeof readRedirectUris>,
  kind: AppKind,
): Record<string, string[]> {
  if (read.ok) {
    const isMissing = field === "redirectUris" && read.uris.length === 0;
    return isMissing ? { [field]: ["connected-apps:office.uris.required"] } : {};
  }
  if (read.why === "tooMany") {
    const values = { maximum: field === "apis" ? MAX_APIS : MAX_REDIRECT_URIS };
    return { [field]: [messageReference("connected-apps:office.uris.tooMany", values)] };
  }
  const { why, line, written = "" } = read;
  const key = why === "scheme" ? SCHEMES[kind] : ERRORS[why];
  return {
    [field]: [
      messageReference(key, {
        line,
        written: isolateLtr(written),
        maximum: APP_URL_MAX_LENGTH,
      }),
    ],
  };
}
