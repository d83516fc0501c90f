import { expect, test } from "vitest";
import { isLoopbackHost } from "../../values/loopback.ts";
import { barColors, COLOR_NAMES } from "./bar-colours.ts";
import {
  ConfigurationError,
  listProblems,
  parseConfig,
  requireBuilt,
  requireServableConfiguration,
} from "./config.ts";
import { titlePrefix } from "./title-prefix.ts";

const KEY_FILE = "-----BEGIN PRIVATE KEY-----\nMIGTAgEA\n-----END PRIVATE KEY-----";

const complete = {
  BASE_URL: "https://app.example.com",
  BETTER_AUTH_SECRET: "0123456789abcdef0123456789abcdef",
  MAIL_FROM: "Gatehouse <no-reply@example.com>",
};

test("a complete environment gets the documented defaults", () => {
  expect(parseConfig(complete)).toMatchObject({
    baseUrl: "https://app.example.com",
    isSecure: true,
    isLoopback: false,
    isDemo: false,
    signUpMode: "open",
    adminEmails: [],
    environment: { name: undefined, emoji: undefined, color: "plum" },
    turnstile: undefined,
  });
});

test("a missing or invalid setting is reported by name and remedy, never by value", () => {
  const broken = {
    BASE_URL: "app.example.com/path",
    BETTER_AUTH_SECRET: "hunter2",
    ENVIRONMENT_COLOR: "beige",
  };
  const error = catchError(() => parseConfig(broken));
  expect(error).toBeInstanceOf(ConfigurationError);
  const { message } = error as Error;
  for (const name of ["BASE_URL", "BETTER_AUTH_SECRET", "MAIL_FROM", "ENVIRONMENT_COLOR"]) {
    expect(message).toContain(name);
  }
  expect(message).toContain("openssl rand -base64 32");
  expect(message).not.toContain("hunter2");
});

test("BASE_URL is an origin", () => {
  expect(() => parseConfig({ ...complete, BASE_URL: "https://app.example.com/x" })).toThrow(
    "BASE_URL",
  );
  expect(() => parseConfig({ ...complete, BASE_URL: "ftp://app.example.com" })).toThrow("BASE_URL");
  expect(parseConfig({ ...complete, BASE_URL: "https://app.example.com/" }).baseUrl).toBe(
    "https://app.example.com",
  );
});

test("ADMIN_EMAILS are trimmed, lower-cased and without blanks", () => {
  const { adminEmails } = parseConfig({ ...complete, ADMIN_EMAILS: " Ada@Example.com,, b@c.de " });
  expect(adminEmails).toEqual(["ada@example.com", "b@c.de"]);
});

test("http is allowed on localhost only", () => {
  for (const url of ["http://app.example.com", "http://192.168.1.5:8787", "http://0.0.0.0"]) {
    expect(() => parseConfig({ ...complete, BASE_URL: url })).toThrow(
      "BASE_URL: must begin with https",
    );
  }
  for (const url of ["http://localhost:8787", "http://127.0.0.1:1", "http://[::1]:8787"]) {
    expect(parseConfig({ ...complete, BASE_URL: url }).isLoopback).toBe(true);
  }
});

test("a provider has both halves of its credentials, or none", () => {
  const { social } = parseConfig({
    ...complete,
    GOOGLE_CLIENT_ID: "id",
    GOOGLE_CLIENT_SECRET: "secret",
  });
  expect(social).toEqual({
    github: undefined,
    google: { clientId: "id", clientSecret: "secret" },
    oidc: undefined,
  });
});

test.each([
  [{ GITHUB_CLIENT_ID: "id" }, ["GITHUB_CLIENT_SECRET"]],
  [{ GITHUB_CLIENT_SECRET: "hunter2" }, ["GITHUB_CLIENT_ID"]],
  [{ GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: " " }, ["GOOGLE_CLIENT_SECRET"]],
  [{ OIDC_CLIENT_ID: "id", OIDC_CLIENT_SECRET: "hunter2" }, ["OIDC_DISCOVERY_URL"]],
  [{ MICROSOFT_CLIENT_ID: "id" }, ["MICROSOFT_CLIENT_SECRET"]],
  [{ APPLE_CLIENT_ID: "id", APPLE_PRIVATE_KEY: KEY_FILE }, ["APPLE_TEAM_ID", "APPLE_KEY_ID"]],
  [{ OIDC_NAME: "Acme" }, ["OIDC_DISCOVERY_URL", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]],
  [{ TURNSTILE_SITE_KEY: "key" }, ["TURNSTILE_SECRET_KEY"]],
  [{ TURNSTILE_SECRET_KEY: "hunter2" }, ["TURNSTILE_SITE_KEY"]],
])("of the settings %j the missing half is reported", (given, missing) => {
  const error = catchError(() => parseConfig({ ...complete, ...given }));
  expect(error).toBeInstanceOf(ConfigurationError);
  const { message } = error as Error;
  for (const name of missing) expect(message).toContain(`${name}: is missing`);
  expect(message.match(/is missing/g)).toHaveLength(missing.length);
  expect(message).not.toContain("hunter2");
});

test("Apple's key may stand in one line, and must be a key", () => {
  const apple = { APPLE_CLIENT_ID: "id", APPLE_TEAM_ID: "team", APPLE_KEY_ID: "key" };
  const parse = (key: string) => parseConfig({ ...complete, ...apple, APPLE_PRIVATE_KEY: key });

  const inOneLine = parse(KEY_FILE.replaceAll("\n", "\\n"));
  expect(inOneLine.social.apple?.privateKey).toBe(KEY_FILE);
  expect(inOneLine).toEqual(parse(`${KEY_FILE}\n`));
  expect(() => parse("hunter2")).toThrow(/^((?!hunter2).)*APPLE_PRIVATE_KEY: must be the contents/);
});

test.each([
  ["https://app.example.com", "key", true, []],
  ["https://app.example.com", "key", false, []],
  ["https://app.example.com", "", true, ["RESEND_API_KEY"]],
  ["http://localhost:8787", "key", true, []],
  ["http://localhost:8787", "", true, []],
  ["http://localhost:8787", "key", false, ["BASE_URL"]],
  ["http://localhost:8787", "", false, ["BASE_URL", "RESEND_API_KEY"]],
])(
  "%s with the mail key %j and a request to localhost %j lacks %j",
  (url, key, isLoopback, names) => {
    const config = parseConfig({ ...complete, BASE_URL: url, RESEND_API_KEY: key });
    const error = catchError(() => requireServableConfiguration(config, isLoopback));
    const message = error instanceof ConfigurationError ? error.message : "";
    expect(message.match(/[A-Z_]+(?=: is)/g) ?? []).toEqual(names);
  },
);

test("everything that a fresh deployment lacks is listed at once", () => {
  const shipped = { BASE_URL: "http://localhost:8787", MAIL_FROM: "Gatehouse <a@b.example>" };
  const namesOf = (environment: object, isLoopback = false) =>
    listProblems(environment, isLoopback).map((problem) => problem.split(":")[0]);

  expect(namesOf(shipped)).toEqual(["BETTER_AUTH_SECRET", "BASE_URL", "RESEND_API_KEY"]);
  expect(namesOf(shipped, true)).toEqual(["BETTER_AUTH_SECRET"]);
  expect(namesOf({ ...shipped, BASE_URL: "https://a.example", DEMO: "true" })).toEqual([
    "BETTER_AUTH_SECRET",
  ]);
  expect(namesOf({ ...complete, BASE_URL: "nothing" })).toEqual(["BASE_URL", "RESEND_API_KEY"]);
});

test("a demonstration has neither sign-up nor providers", () => {
  const config = parseConfig({
    ...complete,
    DEMO: "true",
    GOOGLE_CLIENT_ID: "id",
    GOOGLE_CLIENT_SECRET: "secret",
  });
  expect(config).toMatchObject({ isDemo: true, signUpMode: "closed", social: {} });
});

test("a demonstration is refused by a build from which it was taken out", () => {
  const demo = parseConfig({ ...complete, DEMO: "true" });

  expect(() => requireBuilt(demo, { demonstration: undefined })).toThrow("DEMO");
  expect(() => requireBuilt(demo, { demonstration: {} })).not.toThrow();
  expect(() => requireBuilt(parseConfig(complete), { demonstration: undefined })).not.toThrow();
});

test("SECURITY_CONTACT is an e-mail or an https URL", () => {
  const contactOf = (value: string) =>
    parseConfig({ ...complete, SECURITY_CONTACT: value }).securityContact;

  expect(contactOf("")).toBeUndefined();
  expect(contactOf("security@example.com")).toBe("mailto:security@example.com");
  expect(contactOf("https://example.com/report")).toBe("https://example.com/report");
  for (const value of ["security", "http://example.com/report", "a@b.example\nContact: x"]) {
    expect(() => contactOf(value)).toThrow("SECURITY_CONTACT");
  }
});

test("only the names of localhost are loopback", () => {
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"]) {
    expect(isLoopbackHost(host)).toBe(true);
  }
  for (const host of ["localhost.evil.example", "127.0.0.1.nip.io", "10.0.0.1", "0.0.0.0"]) {
    expect(isLoopbackHost(host)).toBe(false);
  }
});

test("the title's prefix is the emoji, else the bracketed name, else empty", () => {
  expect(titlePrefix({ name: "staging", emoji: "🚧" })).toBe("🚧 ");
  expect(titlePrefix({ name: "staging" })).toBe("[staging] ");
  expect(titlePrefix({})).toBe("");
});

test.each([
  [undefined, 2_000],
  ["", 2_000],
  ["250", 250],
])("%j codes an hour are read as %j", (value, codes) => {
  const config = parseConfig({ ...complete, CODE_MAILS_PER_HOUR: value });
  expect(config.codeMailsPerHour).toBe(codes);
});

test.each(["0", "-1", "1.5", "many", "1e9"])(
  "%j codes an hour are reported as invalid",
  (value) => {
    const error = catchError(() => parseConfig({ ...complete, CODE_MAILS_PER_HOUR: value }));
    expect(String(error)).toContain("CODE_MAILS_PER_HOUR");
  },
);

test.each(COLOR_NAMES)("the label on %s is readable", (name) => {
  const { background, text } = barColors(name);
  expect(contrast(background, text)).toBeGreaterThanOrEqual(4.5);
});

function catchError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Returns the contrast ratio of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test("TRUSTED_ORIGINS are origins as browsers and apps send them", () => {
  const trusted = (value: string) => parseConfig({ ...complete, TRUSTED_ORIGINS: value });

  expect(
    trusted(" https://App.Example.com/ ,myapp://, https://a.example:8443,capacitor://localhost")
      .trustedOrigins,
  ).toEqual([
    "https://app.example.com",
    "myapp://",
    "https://a.example:8443",
    "capacitor://localhost",
  ]);
  expect(trusted("http://localhost:5173").trustedOrigins).toEqual(["http://localhost:5173"]);
  expect(trusted("").trustedOrigins).toEqual([]);
});

test.each([
  ...["*", "null", "https://*.example.com", "https://app.example.com/path", "http://example.com"],
  ...["app.example.com", "myapp", "https://", "file://", "https://user@example.com"],
])("TRUSTED_ORIGINS cannot be %s", (value) => {
  expect(() => parseConfig({ ...complete, TRUSTED_ORIGINS: value })).toThrow("TRUSTED_ORIGINS");
});
