/** For a URL of another site, in characters. */
export const WEB_URL_MAX_LENGTH = 2_048;

/**
 * Returns the absolute URL of a typed one, which may lack its scheme. Undefined unless it is http or https, has a host
 * with a dot and no user or password, and is at most `maximum` characters long.
 */
export function readWebUrl(
  typed: string,
  maximum: number = WEB_URL_MAX_LENGTH,
): string | undefined {
  const absolute =
    /^[a-z][a-z\d+.-]*:/i.test(typed) && !/^[\w.-]+:\d/.test(typed) ? typed : `https://${typed}`;
  const url = URL.canParse(absolute) ? new URL(absolute) : undefined;
  const isWeb =
    url &&
    /^https?:$/.test(url.protocol) &&
    /[^.]\.[^.]/.test(url.hostname) &&
    !url.username &&
    !url.password;
  return isWeb && url.href.length <= maximum ? url.href : undefined;
}
