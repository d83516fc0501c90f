/**
 * The URL of a webhook whose events stay in the product, in its built-in bin. It cannot be typed
 * into the form, because its host is not a public name, and no request is ever sent to it.
 */
export const BIN_URL = "https://built-in-bin/";

/** Returns a receiver's host, which is shown where its URL is not: some URLs hold a secret. */
export function receiverOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
