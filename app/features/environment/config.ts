import { z } from "zod";
import { ACCENT_NAMES, DEFAULT_ACCENT } from "../../values/accents.ts";
import { TERMS_VERSION_MAX_LENGTH } from "../../values/limits.ts";
import { isLoopbackHost } from "../../values/loopback.ts";
import { COLOR_NAMES } from "./bar-colours.ts";

function flag(fallback: "true" | "false") {
  return z
    .enum(["true", "false"])
    .or(z.literal("").transform(() => fallback))
    .default(fallback)
    .transform((value) => value === "true");
}

function count(fallback: string) {
  return z
    .string()
    .trim()
    .default(fallback)
    .transform((value) => Number(value || fallback))
    .pipe(z.int().min(1).max(1_000_000));
}

/** Days that rows stay in the database: a month at least, ten years at most; 0 keeps them for good. */
function days(fallback: string) {
  return z
    .string()
    .trim()
    .default(fallback)
    .transform((value) => Number(value || fallback))
    .pipe(z.literal(0).or(z.int().min(30).max(3_650)));
}

function optional() {
  return z
    .string()
    .trim()
    .optional()
    .transform((value) => value || undefined);
}

/** A list with commas, without blanks. */
function list() {
  return optional().transform((value) =>
    (value ?? "")
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean),
  );
}

const httpUrl = z.url({ protocol: /^https?$/, abort: true });

const optionalUrl = optional().pipe(httpUrl.optional());

const optionalHttpsUrl = optional().pipe(z.url({ protocol: /^https$/ }).optional());

/** Contact for security reports: an e-mail or an https URL. Becomes a URI, as RFC 9116 asks for. */
const contact = optional().pipe(
  z
    .email()
    .transform((value) => `mailto:${value}`)
    .or(z.url({ protocol: /^https$/ }))
    .optional(),
);

/** A private key as a PEM file has it. In one line it has \\n instead of line breaks. */
const privateKey = optional()
  .transform((value) => value?.replaceAll("\\n", "\n"))
  .pipe(
    z
      .string()
      .regex(/^-----BEGIN PRIVATE KEY-----\n[A-Za-z0-9+/=\s]+-----END PRIVATE KEY-----$/, {
        error: "must be the contents of the .p8 file from Apple",
      })
      .optional(),
  );

/** A public origin: scheme, host and port only. http only for a loopback host. */
const origin = httpUrl
  .refine((value) => new URL(value).pathname === "/" && !new URL(value).search, {
    error: "must be an origin such as https://app.example.com, without a path",
    abort: true,
  })
  .refine(
    (value) => new URL(value).protocol === "https:" || isLoopbackHost(new URL(value).hostname),
    {
      error: "must begin with https:// (http:// is for localhost only)",
    },
  )
  .transform((value) => new URL(value).origin);

/** The origin of a mobile or desktop app: a scheme of its own, with or without a host. */
const APP_ORIGIN = /^(?!https?:|file:)[a-z][a-z\d+.-]*:\/\/[\w.:-]*$/;

/** Returns an origin as browsers and apps send it; undefined for what none of them sends. */
function readTrustedOrigin(value: string): string | undefined {
  if (APP_ORIGIN.test(value)) return value;
  const parsed = origin.safeParse(value);
  const isExact = parsed.data === value.toLowerCase().replace(/\/$/, "");
  // No browser sends a pattern.
  return isExact && !value.includes("*") ? parsed.data : undefined;
}

const trustedOrigins = list().transform((values, context) =>
  values.flatMap((value) => {
    const read = readTrustedOrigin(value);
    if (read === undefined) {
      context.addIssue({
        code: "custom",
        message:
          "must name origins such as https://app.example.com, without a path, or schemes of apps such as myapp://",
      });
    }
    return read ?? [];
  }),
);

/** Other scripts are written in their ASCII form, xn--…, as in e-mails. */
const DOMAIN_NAME = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/;

const domainNames = list()
  .transform((domains) => domains.map((domain) => domain.toLowerCase()))
  .refine((domains) => domains.every((domain) => DOMAIN_NAME.test(domain)), {
    error: "must name domains such as example.com, separated by commas",
  });

/** Settings that work only together. The optional ones have no effect without the required ones. */
const SETS = [
  { required: ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"], optional: [] },
  { required: ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"], optional: [] },
  { required: ["MICROSOFT_CLIENT_ID", "MICROSOFT_CLIENT_SECRET"], optional: [] },
  {
    required: ["APPLE_CLIENT_ID", "APPLE_TEAM_ID", "APPLE_KEY_ID", "APPLE_PRIVATE_KEY"],
    optional: [],
  },
  {
    required: ["OIDC_DISCOVERY_URL", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
    optional: ["OIDC_NAME", "OIDC_EMAIL_DOMAINS"],
  },
  { required: ["TERMS_URL"], optional: ["TERMS_VERSION"] },
  { required: ["RESEND_API_KEY"], optional: ["RESEND_WEBHOOK_SECRET"] },
  { required: ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"], optional: ["TURNSTILE_VERIFY_URL"] },
] as const;

/**
 * Schema of the settings in `.dev.vars` and `wrangler.toml`. `.dev.vars.example` explains each; a test compares it with
 * this schema.
 */
export const Environment = z.object({
  BASE_URL: origin,
  TRUSTED_ORIGINS: trustedOrigins,
  DEMO: flag("false"),
  ENVIRONMENT_NAME: optional(),
  ENVIRONMENT_EMOJI: optional(),
  ENVIRONMENT_COLOR: z
    .string()
    .optional()
    .transform((value) => value || "plum")
    .pipe(z.enum(COLOR_NAMES)),
  PRODUCT_NAME: optional().pipe(z.string().max(40).optional()),
  PRODUCT_ACCENT: z
    .string()
    .optional()
    .transform((value) => value || DEFAULT_ACCENT)
    .pipe(z.enum(ACCENT_NAMES)),
  HELP_URL: optionalHttpsUrl,
  SUPPORT_URL: contact,
  MAIL_FOOTER: optional().pipe(z.string().max(300).optional()),
  BETTER_AUTH_SECRET: z
    .string()
    .default("")
    .refine((value) => new TextEncoder().encode(value).length >= 32, {
      error: "must be at least 32 bytes; make one with: openssl rand -base64 32",
    }),
  BETTER_AUTH_SECRET_PREVIOUS: list().refine((secrets) => secrets.length <= 3, {
    error: "must name three secrets at most",
  }),
  RESEND_API_KEY: optional(),
  RESEND_BASE_URL: optionalUrl,
  RESEND_WEBHOOK_SECRET: optional().pipe(
    z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]+=*$/, {
        error: "must be the webhook's secret from Resend, whsec_…",
      })
      .optional(),
  ),
  MAIL_FROM: z.string().trim().min(3),
  SECURITY_CONTACT: contact,
  AUDIT_KEEP_DAYS: days("400"),
  SIGN_UP_ENABLED: flag("true"),
  TERMS_URL: optionalHttpsUrl,
  TERMS_VERSION: optional().pipe(z.string().max(TERMS_VERSION_MAX_LENGTH).optional()),
  PRIVACY_URL: optionalHttpsUrl,
  ADMIN_EMAILS: list().transform((emails) => emails.map((email) => email.toLowerCase())),
  CODE_MAILS_PER_HOUR: count("2000"),
  WEBHOOK_HOSTS: domainNames,
  GITHUB_CLIENT_ID: optional(),
  GITHUB_CLIENT_SECRET: optional(),
  GOOGLE_CLIENT_ID: optional(),
  GOOGLE_CLIENT_SECRET: optional(),
  MICROSOFT_CLIENT_ID: optional(),
  MICROSOFT_CLIENT_SECRET: optional(),
  APPLE_CLIENT_ID: optional(),
  APPLE_TEAM_ID: optional(),
  APPLE_KEY_ID: optional(),
  APPLE_PRIVATE_KEY: privateKey,
  OIDC_NAME: optional(),
  OIDC_DISCOVERY_URL: optionalUrl,
  OIDC_CLIENT_ID: optional(),
  OIDC_CLIENT_SECRET: optional(),
  OIDC_EMAIL_DOMAINS: domainNames,
  TURNSTILE_SITE_KEY: optional(),
  TURNSTILE_SECRET_KEY: optional(),
  TURNSTILE_VERIFY_URL: optionalUrl,
  PLAN: z
    .string()
    .optional()
    .transform((value) => value || "free")
    .pipe(z.enum(["free", "paid"])),
});

/** The settings that decide which requests can be served, whatever else is wrong. */
const Reach = z.object({
  BASE_URL: origin.optional().catch(undefined),
  RESEND_API_KEY: optional().catch(undefined),
  DEMO: flag("false").catch(false),
});

export type Config = ReturnType<typeof toConfig>;

/** Thrown when the settings are incomplete or wrong. The message names each setting and its fix, and no value. */
export class ConfigurationError extends Error {
  override name = "ConfigurationError";
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`Configuration is incomplete. ${problems.join("; ")}`);
    this.problems = problems;
  }
}

/** Reads the environment. Throws a `ConfigurationError` that names every bad or missing setting. */
export function parseConfig(environment: unknown): Config {
  const parsed = Environment.safeParse(environment);
  const problems = findProblems(parsed);
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems);
  return toConfig(parsed.data);
}

function findProblems(parsed: z.ZodSafeParseResult<z.infer<typeof Environment>>): string[] {
  if (parsed.success) return findMissingHalves(parsed.data);
  return parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
}

/**
 * Throws a `ConfigurationError` when the settings cannot serve this request or cron trigger. A loopback `BASE_URL`
 * serves only loopback requests. Without a Resend key mail goes to the local inbox, which is also for loopback requests
 * only. A cron trigger has no host and counts as a loopback request.
 */
export function requireServableConfiguration(config: Config, isLoopbackRequest: boolean): void {
  const canSend = Boolean(config.mail.resendApiKey) || config.isDemo;
  const problems = findUnservable({ isLoopback: config.isLoopback, canSend }, isLoopbackRequest);
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** Throws for a setting that needs a feature which this build does not have. */
export function requireBuilt(
  { isDemo }: Pick<Config, "isDemo">,
  { demonstration }: { demonstration: object | undefined },
): void {
  // Without the feature nothing would refuse changes, and a demonstration limits no codes.
  if (isDemo && !demonstration) {
    throw new ConfigurationError([
      "DEMO: is set, but the demonstration was taken out of this build. Remove the setting",
    ]);
  }
}

/** Lists everything that the settings lack to serve a request, also what `parseConfig` would name only afterwards. */
export function listProblems(environment: unknown, isLoopbackRequest: boolean): string[] {
  const { BASE_URL, RESEND_API_KEY, DEMO } = Reach.parse(environment);
  const isLoopback = BASE_URL !== undefined && isLoopbackHost(new URL(BASE_URL).hostname);
  const canSend = Boolean(RESEND_API_KEY) || DEMO;
  return [
    ...findProblems(Environment.safeParse(environment)),
    ...findUnservable({ isLoopback, canSend }, isLoopbackRequest),
  ];
}

type Reached = { isLoopback: boolean; canSend: boolean };

function findUnservable({ isLoopback, canSend }: Reached, isLoopbackRequest: boolean): string[] {
  const problems: string[] = [];
  if (isLoopback && !isLoopbackRequest) {
    problems.push(
      "BASE_URL: is this machine, and the request came for another host. Set it to the public origin, such as https://app.example.com, under [vars] in wrangler.toml",
    );
  }
  if (!canSend && !(isLoopback && isLoopbackRequest)) {
    problems.push(
      "RESEND_API_KEY: is missing; without it mail can only be read on http://localhost. Set it with: npx wrangler secret put RESEND_API_KEY",
    );
  }
  return problems;
}

function findMissingHalves(env: z.infer<typeof Environment>): string[] {
  return SETS.flatMap(({ required, optional }) => {
    const given = [...required, ...optional].find((name) => env[name]?.length);
    return required
      .filter((name) => given && !env[name])
      .map((name) => `${name}: is missing; ${given} is set and does nothing without it`);
  });
}

function toConfig(env: z.infer<typeof Environment>) {
  const isLoopback = isLoopbackHost(new URL(env.BASE_URL).hostname);
  return {
    baseUrl: env.BASE_URL,
    trustedOrigins: env.TRUSTED_ORIGINS,
    isLoopback,
    isSecure: env.BASE_URL.startsWith("https:"),
    isDemo: env.DEMO,
    environment: {
      name: env.ENVIRONMENT_NAME,
      emoji: env.ENVIRONMENT_EMOJI,
      color: env.ENVIRONMENT_COLOR,
    },
    secret: env.BETTER_AUTH_SECRET,
    previousSecrets: env.BETTER_AUTH_SECRET_PREVIOUS.filter(
      (secret) => secret !== env.BETTER_AUTH_SECRET,
    ),
    securityContact: env.SECURITY_CONTACT,
    auditKeepDays: env.AUDIT_KEEP_DAYS,
    mail: {
      // A demonstration shows its codes on the screen. Its sample e-mails are not real mailboxes.
      resendApiKey: env.DEMO ? undefined : env.RESEND_API_KEY,
      resendBaseUrl: env.RESEND_BASE_URL,
      webhookSecret: env.DEMO ? undefined : env.RESEND_WEBHOOK_SECRET,
      from: env.MAIL_FROM,
    },
    /** Who may create an account until managers choose otherwise. */
    signUpMode: signUpModeOf(env),
    /** Links and version of the terms until managers choose others. */
    terms: { url: env.TERMS_URL, version: env.TERMS_VERSION, privacyUrl: env.PRIVACY_URL },
    isProductNamed: env.PRODUCT_NAME !== undefined,
    brand: {
      name: env.PRODUCT_NAME ?? "Gatehouse",
      accent: env.PRODUCT_ACCENT,
      helpUrl: env.HELP_URL,
      supportUrl: env.SUPPORT_URL,
      mailFooter: env.MAIL_FOOTER,
    },
    adminEmails: env.ADMIN_EMAILS,
    plan: env.PLAN,
    codeMailsPerHour: env.CODE_MAILS_PER_HOUR,
    /** Hosts of the site's own domain that webhooks may reach. */
    webhookHosts: env.WEBHOOK_HOSTS,
    social: env.DEMO
      ? {}
      : {
          github: credentials(env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET),
          google: credentials(env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET),
          microsoft: credentials(env.MICROSOFT_CLIENT_ID, env.MICROSOFT_CLIENT_SECRET),
          apple: apple(env),
          oidc: oidc(env),
        },
    // A demonstration sends no mail, so there is none for a captcha to protect.
    turnstile:
      !env.DEMO && env.TURNSTILE_SITE_KEY && env.TURNSTILE_SECRET_KEY
        ? {
            siteKey: env.TURNSTILE_SITE_KEY,
            secretKey: env.TURNSTILE_SECRET_KEY,
            verifyUrl: env.TURNSTILE_VERIFY_URL,
          }
        : undefined,
  };
}

function signUpModeOf(env: z.infer<typeof Environment>): "open" | "invitation" | "closed" {
  if (env.DEMO) return "closed";
  return env.SIGN_UP_ENABLED ? "open" : "invitation";
}

function credentials(clientId: string | undefined, clientSecret: string | undefined) {
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

function apple(env: z.infer<typeof Environment>) {
  const { APPLE_CLIENT_ID: clientId, APPLE_TEAM_ID: teamId } = env;
  const { APPLE_KEY_ID: keyId, APPLE_PRIVATE_KEY: privateKey } = env;
  return clientId && teamId && keyId && privateKey
    ? { clientId, teamId, keyId, privateKey }
    : undefined;
}

function oidc(env: z.infer<typeof Environment>) {
  const pair = credentials(env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET);
  return pair && env.OIDC_DISCOVERY_URL
    ? {
        ...pair,
        name: env.OIDC_NAME ?? "OpenID",
        discoveryUrl: env.OIDC_DISCOVERY_URL,
        emailDomains: env.OIDC_EMAIL_DOMAINS,
      }
    : undefined;
}
