import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { rememberPasskey } from "./passkey-support.ts";

const SERVER = "/api/auth/passkey";
/** Leads each user to their first screen. */
const HOME = "/";
/** A challenge is valid for 5 minutes. One that is older than this is replaced. */
const CHALLENGE_MS = 4 * 60_000;

/**
 * Result of a passkey prompt. `id` is the new passkey's, `url` is the page after a sign-in. Without a `code` the user
 * or the page cancelled.
 */
type Outcome = { ok: true; id: string; url: string } | { ok: false; code: string | undefined };

type Answer = { ok: true; body: unknown } | { ok: false; code: string };

/**
 * Signs in with a passkey from the browser's dialog and goes to the first screen, on the way to `redirect`. Returns an
 * error code; undefined when the user cancelled.
 */
export async function signIn(redirect: string | undefined): Promise<string | undefined> {
  const options = await askForChallenge("authenticate");
  return options.ok ? goTo(await prove(options.body, redirect)) : options.code;
}

/**
 * Offers passkeys among the browser's suggestions for a field until the signal aborts. A chosen passkey signs in as
 * above. It is no error when none can be offered.
 */
export async function offerAmongSuggestions(
  redirect: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  while (!signal.aborted) {
    if (!(await browserSupportsWebAuthnAutofill()) || signal.aborted) break;
    const options = await askForChallenge("authenticate");
    if (!options.ok || signal.aborted) break;
    let isEnded = false;
    const end = () => {
      isEnded = true;
      WebAuthnAbortService.cancelCeremony();
    };
    signal.addEventListener("abort", end);
    const timer = setTimeout(end, CHALLENGE_MS);
    const outcome = await suggest(options.body, redirect);
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    if (outcome.ok || outcome.code || !isEnded) return goTo(outcome);
  }
  return undefined;
}

/** Proves the current session by a passkey from the browser's dialog. */
export async function confirm(): Promise<Outcome> {
  const options = await askForChallenge("authenticate");
  if (!options.ok) return options;
  const optionsJSON = options.body as PublicKeyCredentialRequestOptionsJSON;
  return deliver("confirm-session", () => startAuthentication({ optionsJSON }));
}

/** Creates a passkey for the signed-in user. */
export async function add(): Promise<Outcome> {
  const options = await askForChallenge("register");
  if (!options.ok) return options;
  const optionsJSON = options.body as PublicKeyCredentialCreationOptionsJSON;
  return deliver("verify-registration", () => startRegistration({ optionsJSON }));
}

function prove(options: unknown, redirect: string | undefined): Promise<Outcome> {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  const prompt = () => startAuthentication({ optionsJSON });
  return deliver("verify-authentication", prompt, { callbackURL: redirect ?? HOME });
}

/**
 * Loads the outcome's URL, or the page about a ban, and never settles. Returns the error code of any other failure.
 */
function goTo(outcome: Outcome): Promise<string | undefined> {
  const isBanned = !outcome.ok && outcome.code === "BANNED_USER";
  if (!outcome.ok && !isBanned) return Promise.resolve(outcome.code);
  location.assign(outcome.ok ? outcome.url : "/login/error?error=BANNED_USER");
  return new Promise(() => {});
}

/** Prompts for a passkey and sends the authenticator's answer to the server. */
async function deliver(
  endpoint: string,
  prompt: () => Promise<RegistrationResponseJSON | AuthenticationResponseJSON>,
  more: object = {},
): Promise<Outcome> {
  let response: unknown;
  try {
    response = await prompt();
  } catch (error) {
    return { ok: false, code: codeOf(error) };
  }
  const answer = await post(endpoint, { response, ...more });
  if (!answer.ok) return answer;
  rememberPasskey();
  const { id = "", url = "/login" }: { id?: string; url?: string } = Object(answer.body);
  return { ok: true, id, url };
}

/** Offers a passkey as a suggestion. A browser's own refusal is no error, because the user did not ask. */
async function suggest(options: unknown, redirect: string | undefined): Promise<Outcome> {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  let response: AuthenticationResponseJSON;
  try {
    response = await startAuthentication({ optionsJSON, useBrowserAutofill: true });
  } catch {
    return { ok: false, code: undefined };
  }
  return deliver("verify-authentication", async () => response, {
    callbackURL: redirect ?? HOME,
  });
}

/** Returns the error code for an exception with a browser's name for it (WebAuthn, sections 5.1.3 and 5.1.4). */
function codeOf(error: unknown): string | undefined {
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError" || name === "AbortError") return undefined;
  return name === "InvalidStateError" ? "PREVIOUSLY_REGISTERED" : "UNKNOWN_ERROR";
}

let asking: Promise<unknown> = Promise.resolve();
let cut = new AbortController();

/**
 * Requests a challenge. The server identifies it by a cookie, and the browser keeps the last one that arrived: a late
 * answer would replace the challenge in use. So a new request aborts the previous one and waits for its end.
 */
function askForChallenge(ceremony: "authenticate" | "register"): Promise<Answer> {
  cut.abort();
  cut = new AbortController();
  const { signal } = cut;
  const answer = asking.then(() => ask(`generate-${ceremony}-options`, { signal }));
  asking = answer;
  return answer;
}

function post(endpoint: string, body: object): Promise<Answer> {
  return ask(endpoint, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function ask(endpoint: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(`${SERVER}/${endpoint}`, init);
    const answer: unknown = await response.json();
    if (response.ok) return { ok: true, body: answer };
    const { code = "UNKNOWN_ERROR" }: { code?: string } = Object(answer);
    return { ok: false, code };
  } catch {
    return { ok: false, code: "UNKNOWN_ERROR" };
  }
}
