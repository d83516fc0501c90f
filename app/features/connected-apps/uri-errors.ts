import type { MessageKey } from "../../i18n/message-key.ts";
import { isolateLtr } from "../../ui/text/isolate.ts";
import { messageReference } from "../../ui/text/message.tsx";
import { APP_URL_MAX_LENGTH, MAX_REDIRECT_URIS } from "./limits.ts";
import type { AppKind, readRedirectUris, UriRefusal } from "./redirect-uris.ts";

/** The fields of an app with URIs, of which the first must have one. */
export type UriField = "redirectUris" | "afterSignOut";

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

/** Returns the error of a field with URIs, by the field; nothing for a valid one. */
export function uriErrors(
  field: UriField,
  read: ReturnType<typeof readRedirectUris>,
  kind: AppKind,
): Record<string, string[]> {
  if (read.ok) {
    const isMissing = field === "redirectUris" && read.uris.length === 0;
    return isMissing ? { [field]: ["connected-apps:office.uris.required"] } : {};
  }
  if (read.why === "tooMany") {
    const values = { maximum: MAX_REDIRECT_URIS };
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
