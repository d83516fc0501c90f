import type { Config } from "../environment/config.ts";
import type { SettingState } from "../environment/setting-states.ts";

/** A setting that works but should be another, and the text that says what to do. */
export type Problem = { setting: string; problem: (typeof PROBLEMS)[number] };

const PROBLEMS = [
  "onThisMachine",
  "mailStaysHere",
  "sampleSender",
  "noWebhook",
  "noCaptcha",
  "noAdmins",
  "noSecurityContact",
  "halfAnalytics",
] as const;

/** Problems that keep mails from arriving, or hide that they are lost. */
export const MAIL_PROBLEMS: ReadonlySet<Problem["problem"]> = new Set([
  "mailStaysHere",
  "sampleSender",
  "noWebhook",
]);

/** Commands that mend a problem; what is missing here is set in wrangler.toml. */
export const CURES: Partial<Record<Problem["problem"], string>> = {
  mailStaysHere: "npx wrangler secret put RESEND_API_KEY",
  noWebhook: "npx wrangler secret put RESEND_WEBHOOK_SECRET",
  noCaptcha: "npx wrangler secret put TURNSTILE_SECRET_KEY",
};

const ANALYTICS = ["CLOUDFLARE_ANALYTICS_TOKEN", "CLOUDFLARE_ACCOUNT_ID", "D1_DATABASE_ID"];

/** Domain of the sender in wrangler.toml, which no mail provider accepts. */
const SAMPLE_DOMAIN = "gatehouse.example";

/** Returns what an operator should change in the settings. A demonstration sends no mail and needs none of that. */
export function findProblems(
  {
    isLoopback,
    isDemo,
    mail,
    turnstile,
  }: Pick<Config, "isLoopback" | "isDemo" | "mail" | "turnstile">,
  settings: SettingState[],
): Problem[] {
  const isMissing = (name: string) =>
    settings.some((one) => one.name === name && one.state === "missing");
  const missingAnalytics = ANALYTICS.filter(isMissing);
  const isHalf = missingAnalytics.length > 0 && missingAnalytics.length < ANALYTICS.length;
  const checks: [isProblem: boolean, setting: string, problem: Problem["problem"]][] = [
    [isLoopback, "BASE_URL", "onThisMachine"],
    [!isDemo && !mail.resendApiKey, "RESEND_API_KEY", "mailStaysHere"],
    [!isDemo && mail.from.includes(`@${SAMPLE_DOMAIN}`), "MAIL_FROM", "sampleSender"],
    [!isDemo && isMissing("RESEND_WEBHOOK_SECRET"), "RESEND_WEBHOOK_SECRET", "noWebhook"],
    [!isDemo && !turnstile, "TURNSTILE_SITE_KEY", "noCaptcha"],
    [isMissing("ADMIN_EMAILS"), "ADMIN_EMAILS", "noAdmins"],
    [isMissing("SECURITY_CONTACT"), "SECURITY_CONTACT", "noSecurityContact"],
    [isHalf, missingAnalytics.join(", "), "halfAnalytics"],
  ];
  return checks.flatMap(([isProblem, setting, problem]) => (isProblem ? { setting, problem } : []));
}
