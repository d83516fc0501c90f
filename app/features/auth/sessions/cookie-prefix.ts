/**
 * Returns the prefix of every cookie of the product. `__Host-` binds a cookie to this host; a browser accepts it only
 * over https.
 */
export function cookiePrefix(isSecure: boolean): string {
  return isSecure ? "__Host-gatehouse" : "gatehouse";
}
