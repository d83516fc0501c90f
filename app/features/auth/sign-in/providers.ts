/** An identity provider that the login screen offers. */
export type Provider = { id: "github" | "google" | "oidc"; name: string };

type SocialConfig = {
  github?: object;
  google?: object;
  oidc?: { name: string; discoveryUrl: string };
};

/** Id of the account screen's panel of sign-in methods, where linking and unlinking end. */
export const METHODS_ID = "sign-in-methods";

/** Returns the configured providers, in the order they are offered. */
export function listProviders({ github, google, oidc }: SocialConfig): Provider[] {
  const providers: (Provider | undefined)[] = [
    google && { id: "google", name: "Google" },
    github && { id: "github", name: "GitHub" },
    oidc && { id: "oidc", name: oidc.name },
  ];
  return providers.filter((provider) => provider !== undefined);
}

/**
 * Returns the origins that a sign-in redirects to. For OpenID Connect it is the discovery URL's origin: the
 * authorization endpoint is known only after the discovery, and nearly every provider has both on one origin.
 */
export function providerOrigins({ github, google, oidc }: SocialConfig): string[] {
  const urls = [
    google && "https://accounts.google.com",
    github && "https://github.com",
    oidc?.discoveryUrl,
  ];
  return urls.filter((url) => url !== undefined).map((url) => new URL(url).origin);
}

/** Returns a provider's name, also for a provider that is no longer configured. */
export function nameOfProvider(id: string, providers: Provider[]): string {
  const known: Record<string, string> = {
    github: "GitHub",
    google: "Google",
    oidc: "OpenID Connect",
  };
  return providers.find((provider) => provider.id === id)?.name ?? known[id] ?? id;
}

/** True for the path to which an identity provider redirects. */
export function isProviderCallback(path: string): boolean {
  return path.startsWith("/api/auth/callback/");
}
