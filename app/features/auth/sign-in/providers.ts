/** A way in through somebody else, as the login screen offers it. */
export type Provider = { id: "github" | "google" | "oidc"; name: string };

type SocialConfig = {
  github?: object;
  google?: object;
  oidc?: { name: string; discoveryUrl: string };
};

/** The providers that are configured, in the order they are offered. */
export function listProviders({ github, google, oidc }: SocialConfig): Provider[] {
  const providers: (Provider | undefined)[] = [
    google && { id: "google", name: "Google" },
    github && { id: "github", name: "GitHub" },
    oidc && { id: "oidc", name: oidc.name },
  ];
  return providers.filter((provider) => provider !== undefined);
}

/**
 * The origins that signing in leads to. Of OpenID Connect it is that of the discovery URL: the authorization endpoint is
 * known only once the URL has been fetched, and both are on one origin with nearly every provider.
 */
export function providerOrigins({ github, google, oidc }: SocialConfig): string[] {
  const urls = [
    google && "https://accounts.google.com",
    github && "https://github.com",
    oidc?.discoveryUrl,
  ];
  return urls.filter((url) => url !== undefined).map((url) => new URL(url).origin);
}

/** A provider's name, also of one that accounts are linked to although it is no longer configured. */
export function nameOfProvider(id: string, providers: Provider[]): string {
  const known: Record<string, string> = {
    github: "GitHub",
    google: "Google",
    oidc: "OpenID Connect",
  };
  return providers.find((provider) => provider.id === id)?.name ?? known[id] ?? id;
}

/** Whether a path is where an identity provider sends the browser back to. */
export function isProviderCallback(path: string): boolean {
  return path.startsWith("/api/auth/callback/");
}
