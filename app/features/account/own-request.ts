import type { RequestInfo } from "../../http/request-context.ts";
import { isLanguage, type Language } from "../../i18n/languages.ts";
import type { CodeAsker } from "../auth/codes/account-codes.server.ts";
import type { CurrentSession } from "../auth/sessions/session.server.ts";

/** One request of somebody about their own account. */
export type OwnRequest = { current: CurrentSession; asker: CodeAsker; info: RequestInfo };

/** The language that somebody is written to in: the one they keep, else the one they read just now. */
export function mailLanguageOf({ current, asker }: OwnRequest): Language {
  const { language } = current.user;
  return isLanguage(language) ? language : asker.language;
}
