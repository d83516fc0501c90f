const DOMAIN =
  /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{1,59})$/;

/**
 * Returns a domain in ASCII lower case, as e-mails have it: "Bücher.example" is
 * "xn--bcher-kva.example". Undefined for a text that is no domain.
 */
export function readDomain(text: string): string | undefined {
  const name = text.trim().replace(/^@/, "").replace(/\.$/, "");
  // In a URL these would begin another part, or be decoded.
  if (/[\s/:?#@\\%[\]]/.test(name) || !URL.canParse(`http://${name}`)) return undefined;
  const { hostname } = new URL(`http://${name}`);
  return DOMAIN.test(hostname) ? hostname : undefined;
}

/** Returns the domain of an e-mail in ASCII lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

/** Returns a domain and the domains above it: "a.b.example" is "a.b.example", "b.example" and "example". */
export function domainsAbove(domain: string): string[] {
  const labels = domain.split(".");
  return labels.map((_label, index) => labels.slice(index).join("."));
}

/** Returns an e-mail of which a reader sees the first letter and the domain: "a…@example.com". */
export function maskedEmail(email: string): string {
  return `${email.slice(0, 1)}…@${domainOf(email)}`;
}
