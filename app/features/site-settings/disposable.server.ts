import { domainsAbove } from "./email-domain.ts";

let known: Promise<Set<string>> | undefined;

/**
 * True for a domain of throw-away mailboxes, or one below it, by the list of the package. The list has 52 kB gzip, so an
 * isolate loads it on first use.
 */
export async function isDisposable(domain: string): Promise<boolean> {
  known ??= import("disposable-email-domains-js").then((list) =>
    list.disposableEmailBlocklistSet(),
  );
  const domains = await known;
  return domainsAbove(domain).some((name) => domains.has(name));
}
