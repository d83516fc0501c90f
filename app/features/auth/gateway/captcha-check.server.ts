import { z } from "zod";
import { describeError, log } from "../../../runtime/log.ts";
import { CAPTCHA_ACTION } from "../codes/code.ts";

const VERIFY_URL = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const TIMEOUT_MS = 10_000;

const Verdict = z.object({
  success: z.boolean(),
  hostname: z.string().optional(),
  action: z.string().optional(),
});

type CaptchaOptions = {
  turnstile: { secretKey: string; verifyUrl?: string | undefined };
  baseUrl: string;
};

/**
 * Checks a solved captcha for a form that is no call of better-auth, whose plugin checks the
 * others. Returns an error code; undefined when it was solved for this site. Source: Cloudflare
 * Turnstile, "Server-side validation".
 */
export async function checkCaptcha(
  { turnstile, baseUrl }: CaptchaOptions,
  token: string | undefined,
): Promise<"MISSING_RESPONSE" | "VERIFICATION_FAILED" | "SERVICE_UNAVAILABLE" | undefined> {
  if (!token) return "MISSING_RESPONSE";
  try {
    const response = await fetch(turnstile.verifyUrl ?? VERIFY_URL, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ secret: turnstile.secretKey, response: token }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { success, hostname, action } = Verdict.parse(await response.json());
    // Turnstile does not bind a token to a site or an action by itself.
    const isOurs = hostname === new URL(baseUrl).hostname && action === CAPTCHA_ACTION;
    return response.ok && success && isOurs ? undefined : "VERIFICATION_FAILED";
  } catch (error) {
    log("warn", "captcha.not_checked", describeError(error));
    return "SERVICE_UNAVAILABLE";
  }
}
