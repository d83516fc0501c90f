import { readOutsideUrl } from "../../values/outside-url.ts";

/** An app has so long to answer. */
const TIMEOUT_MS = 5_000;

/**
 * What became of one try: the status of the answer; or why there was none. "closed": the address is
 * none that the product sends to.
 */
export type LogoutAnswer = number | "timeout" | "unreachable" | "closed";

/**
 * Posts a logout token to an app. A redirect is not followed. Sources: OpenID Connect Back-Channel
 * Logout 1.0, 2.5; decision 072.
 */
export async function postLogout(
  uri: string,
  token: string,
  { baseUrl, isLoopback }: { baseUrl: string; isLoopback: boolean },
): Promise<LogoutAnswer> {
  if (!readOutsideUrl(uri, baseUrl, { isLocal: isLoopback }).ok) return "closed";
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await fetch(uri, {
      method: "POST",
      body: new URLSearchParams({ logout_token: token }),
      signal,
      redirect: "manual",
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return signal.aborted ? "timeout" : "unreachable";
  }
}

/** What an answer means for a logout: it was told, is tried again, or never will be. */
export function meaningOf(answer: LogoutAnswer): "told" | "later" | "never" {
  if (typeof answer !== "number") return answer === "closed" ? "never" : "later";
  if (answer >= 200 && answer < 300) return "told";
  return answer >= 500 || answer === 408 || answer === 429 ? "later" : "never";
}
