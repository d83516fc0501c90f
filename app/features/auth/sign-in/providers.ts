export const PROVIDER_IDS = ["google", "microsoft", "apple", "github", "oidc"] as const;

/** An identity provider that the login screen offers. */
export type Provider = { id: (typeof PROVIDER_IDS)[number]; name: string };

type SocialConfig = {
  google?: object;
  microsoft?: object;
  apple?: object;
  github?: object;
  oidc?: { name: string; discoveryUrl: string };
};

/** Id of the account screen's panel of sign-in methods, where linking and unlinking end. */
export const METHODS_ID = "sign-in-methods";

/** Returns the configured providers, in the order they are offered. */
export function listProviders(social: SocialConfig): Provider[] {
  const { google, microsoft, apple, github, oidc } = social;
  const providers: (Provider | undefined)[] = [
    google && { id: "google", name: "Google" },
    microsoft && { id: "microsoft", name: "Microsoft" },
    apple && { id: "apple", name: "Apple" },
    github && { id: "github", name: "GitHub" },
    oidc && { id: "oidc", name: oidc.name },
  ];
  return providers.filter((provider) => provider !== undefined);
}

/**
 * Returns the origins that a sign-in redirects to. For OpenID Connect it is the discovery URL's origin: the
 * authorization endpoint is known only after the discovery, and nearly every provider has both on one origin.
 */
export function providerOrigins(social: SocialConfig): string[] {
  const { google, microsoft, apple, github, oidc } = social;
  const urls = [
    google && "https://accounts.google.com",
    microsoft && "https://login.microsoftonline.com",
    apple && "https://appleid.apple.com",
    github && "https://github.com",
    oidc?.discoveryUrl,
  ];
  return urls.filter((url) => url !== undefined).map((url) => new URL(url).origin);
}

/** Returns a provider's name, also for a provider that is no longer configured. */
export function nameOfProvider(id: string, providers: Provider[]): string {
  const known: Record<string, string> = {
    google: "Google",
    microsoft: "Microsoft",
    apple: "Apple",
    github: "GitHub",
    oidc: "OpenID Connect",
  };
  return providers.find((provider) => provider.id === id)?.name ?? known[id] ?? id;
}

/** True for the path to which an identity provider redirects. */
export function isProviderCallback(path: string): boolean {
  return path.startsWith("/api/auth/callback/");
}

/**
 * True for the form with which Apple sends the browser back. It comes from another site, so the
 * browser adds none of our cookies to it, and it changes nothing: the gateway answers with a
 * redirect to the same path.
 */
export function isPostedCallback({ method, url }: Request): boolean {
  return method === "POST" && new URL(url).pathname === "/api/auth/callback/apple";
}
