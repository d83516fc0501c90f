import { z } from "zod";
import { COLOR_NAMES } from "./palette.ts";

function flag(fallback: "true" | "false") {
  return z
    .enum(["true", "false"])
    .or(z.literal("").transform(() => fallback))
    .default(fallback)
    .transform((value) => value === "true");
}

function optional() {
  return z
    .string()
    .trim()
    .optional()
    .transform((value) => value || undefined);
}

const httpUrl = z.url({ protocol: /^https?$/, abort: true });

const optionalUrl = optional().pipe(httpUrl.optional());

/** A public origin: scheme, host and port, nothing behind them. */
const origin = httpUrl
  .refine((value) => new URL(value).pathname === "/" && !new URL(value).search, {
    error: "must be an origin such as https://app.example.com, without a path",
  })
  .transform((value) => new URL(value).origin);

/**
 * The environment of `.dev.vars` and `wrangler.toml` as the worker sees it: names and meanings are those of
 * `.dev.vars.example`, which a test holds to this schema.
 */
export const Environment = z.object({
  BASE_URL: origin,
  DEMO: flag("false"),
  ENVIRONMENT_NAME: optional(),
  ENVIRONMENT_EMOJI: optional(),
  ENVIRONMENT_COLOR: z
    .string()
    .optional()
    .transform((value) => value || "plum")
    .pipe(z.enum(COLOR_NAMES)),
  BETTER_AUTH_SECRET: z.string().refine((value) => new TextEncoder().encode(value).length >= 32, {
    error: "must be at least 32 bytes; make one with: openssl rand -base64 32",
  }),
  RESEND_API_KEY: optional(),
  RESEND_BASE_URL: optionalUrl,
  MAIL_FROM: z.string().trim().min(3),
  SIGN_UP_ENABLED: flag("true"),
  ADMIN_EMAILS: optional().transform((value) =>
    (value ?? "")
      .split(",")
      .map((email) => email.trim().toLowerCase())
      .filter(Boolean),
  ),
  GITHUB_CLIENT_ID: optional(),
  GITHUB_CLIENT_SECRET: optional(),
  GOOGLE_CLIENT_ID: optional(),
  GOOGLE_CLIENT_SECRET: optional(),
  OIDC_NAME: optional(),
  OIDC_DISCOVERY_URL: optionalUrl,
  OIDC_CLIENT_ID: optional(),
  OIDC_CLIENT_SECRET: optional(),
  TURNSTILE_SITE_KEY: optional(),
  TURNSTILE_SECRET_KEY: optional(),
  TURNSTILE_VERIFY_URL: optionalUrl,
});

export type Config = ReturnType<typeof toConfig>;

/** The environment does not make a working product; the message names each setting and its cure, and no value. */
export class ConfigurationError extends Error {
  override name = "ConfigurationError";
}

/** Reads the environment. Throws a `ConfigurationError` that names every bad or missing setting. */
export function parseConfig(environment: unknown): Config {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.join(".")}: ${issue.message}`,
    );
    throw new ConfigurationError(`Configuration is incomplete. ${problems.join("; ")}`);
  }
  return toConfig(parsed.data);
}

function toConfig(env: z.infer<typeof Environment>) {
  const isLoopback = isLoopbackHost(new URL(env.BASE_URL).hostname);
  return {
    baseUrl: env.BASE_URL,
    isLoopback,
    isSecure: env.BASE_URL.startsWith("https:"),
    isDemo: env.DEMO,
    environment: {
      name: env.ENVIRONMENT_NAME,
      emoji: env.ENVIRONMENT_EMOJI,
      color: env.ENVIRONMENT_COLOR,
    },
    secret: env.BETTER_AUTH_SECRET,
    mail: {
      // A demonstration shows its codes on the screen; its sample addresses are nobody's to write to.
      resendApiKey: env.DEMO ? undefined : env.RESEND_API_KEY,
      resendBaseUrl: env.RESEND_BASE_URL,
      from: env.MAIL_FROM,
    },
    // A public demonstration creates nobody and signs nobody in from elsewhere.
    isSignUpEnabled: env.SIGN_UP_ENABLED && !env.DEMO,
    adminEmails: env.ADMIN_EMAILS,
    social: env.DEMO
      ? {}
      : {
          github: credentials(env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET),
          google: credentials(env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET),
          oidc: oidc(env),
        },
    turnstile:
      env.TURNSTILE_SITE_KEY && env.TURNSTILE_SECRET_KEY
        ? {
            siteKey: env.TURNSTILE_SITE_KEY,
            secretKey: env.TURNSTILE_SECRET_KEY,
            verifyUrl: env.TURNSTILE_VERIFY_URL,
          }
        : undefined,
  };
}

function credentials(clientId: string | undefined, clientSecret: string | undefined) {
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

function oidc(env: z.infer<typeof Environment>) {
  const pair = credentials(env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET);
  return pair && env.OIDC_DISCOVERY_URL
    ? { ...pair, name: env.OIDC_NAME ?? "OpenID", discoveryUrl: env.OIDC_DISCOVERY_URL }
    : undefined;
}

/** Whether a host name can only mean this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
