import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PASSKEY_ERROR_CODES } from "@better-auth/passkey";
import { BASE_ERROR_CODES } from "better-auth";
import {
  ADMIN_ERROR_CODES,
  EMAIL_OTP_ERROR_CODES,
  ORGANIZATION_ERROR_CODES,
} from "better-auth/client/plugins";
import { captcha } from "better-auth/plugins/captcha";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import { expect, test } from "vitest";
import { z } from "zod";
import { joinTexts } from "../scripts/join-texts.ts";

const Translations = z.record(z.string(), z.string());
const translations = Translations.parse(joinTexts("en").codes);

const { resolve } = createRequire(import.meta.url);
const betterAuth = dirname(resolve("better-auth"));
const betterCall = dirname(createRequire(resolve("better-auth")).resolve("better-call"));

// The files of better-auth in which the product's endpoints write an error: its own routes, the six plugins, its
// router.
const sources = [
  ...["api", "auth", "db", "oauth2", "utils", "state.mjs"].map((path) => join(betterAuth, path)),
  ...["access", "admin", "captcha", "email-otp", "generic-oauth", "organization"].map((plugin) =>
    join(betterAuth, "plugins", plugin),
  ),
  betterCall,
].flatMap(listModules);

function listModules(path: string): string[] {
  if (statSync(path).isFile()) return path.endsWith(".mjs") ? [path] : [];
  return readdirSync(path).flatMap((name) => listModules(join(path, name)));
}

/**
 * Returns the matches of a pattern's first group in the installed sources, or in one folder of them, without repeats.
 */
function findInSources(pattern: RegExp, folder = ""): string[] {
  const found = sources
    .filter((path) => path.startsWith(folder))
    .flatMap((path) => [...readFileSync(path, "utf8").matchAll(pattern)]);
  return [...new Set(found.flatMap(([, code]) => code ?? []))].sort();
}

function withoutTranslation(codes: string[]): string[] {
  return codes.filter((code) => !translations[code]);
}

test.each([
  ["better-auth", BASE_ERROR_CODES],
  ["admin", ADMIN_ERROR_CODES],
  ["organization", ORGANIZATION_ERROR_CODES],
  ["email-otp", EMAIL_OTP_ERROR_CODES],
  ["captcha", captcha({ provider: "cloudflare-turnstile", secretKey: "-" }).$ERROR_CODES],
  ["passkey", PASSKEY_ERROR_CODES],
  ["generic-oauth", genericOAuth({ config: [] }).$ERROR_CODES],
])("every error code of %s has a translation", (_name, codes) => {
  expect(Object.keys(codes).length).toBeGreaterThan(0);
  expect(withoutTranslation(Object.keys(codes))).toEqual([]);
});

test("every code that better-auth answers without declaring it has a translation", () => {
  const codes = findInSources(/\bcode: "([A-Za-z_]+)"/g);

  expect(codes).toEqual(
    expect.arrayContaining(["LINKING_FAILED", "UNSUPPORTED_MEDIA_TYPE", "state_mismatch"]),
  );
  expect(withoutTranslation(codes)).toEqual([]);
});

test("every code of a plugin's error table has a translation, exported or not", () => {
  const codes = sources
    .filter((path) => path.endsWith("error-codes.mjs"))
    .flatMap((path) => [...readFileSync(path, "utf8").matchAll(/^\s*([A-Z_]+): "/gm)])
    .flatMap(([, code]) => code ?? []);

  expect(codes).toContain("SERVICE_UNAVAILABLE");
  expect(withoutTranslation(codes)).toEqual([]);
});

test("every error of a social sign-in's callback has a translation", () => {
  const table = /OAUTH_CALLBACK_ERROR_CODES = \{([^}]*)\}/.exec(
    readFileSync(join(betterAuth, "oauth2", "errors.mjs"), "utf8"),
  );
  const declared = [...(table?.[1] ?? "").matchAll(/"([a-z_]+)"/g)].flatMap(
    ([, reason]) => reason ?? [],
  );
  // Some are written as words ("signup disabled") and joined with underscores in the URL.
  const written = findInSources(/\berror: "([A-Za-z_]+(?: [a-z]+)*)"/g, join(betterAuth, "oauth2"))
    .concat(findInSources(/\berror: "([A-Za-z_]+)"/g, join(betterAuth, "api")))
    .map((reason) => reason.replaceAll(" ", "_"));
  const handedOver = findInSources(/\bredirectOnError\([^()"]*"([a-z_]+)"/g);

  expect(declared).toContain("no_code");
  expect(written).toContain("signup_disabled");
  expect(handedOver).toContain("internal_server_error");
  expect(withoutTranslation([...declared, ...written, ...handedOver])).toEqual([]);
});

test.each([
  // RFC 6749, section 4.1.2.1
  "access_denied",
  "invalid_request",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
  "unauthorized_client",
  "unsupported_response_type",
  // OpenID Connect Core, section 3.1.2.6
  "account_selection_required",
  "consent_required",
  "interaction_required",
  "login_required",
])("the error %s of a provider has a translation", (reason) => {
  expect(withoutTranslation([reason])).toEqual([]);
});

test.each([
  ["FAILED_TO_UNLINK_LAST_ACCOUNT", "You can't unlink your last account"],
  ["SESSION_EXPIRED", "Session expired. Re-authenticate to perform this action."],
  ["BANNED_USER", "You have been banned from this application"],
  ["UNKNOWN_ERROR", "Something went wrong"],
  ["FORBIDDEN", "You don't have access to this page"],
])("%s has the specification's text", (code, translation) => {
  expect(translations[code]).toBe(translation);
});
