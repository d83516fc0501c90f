import type { Config } from "../environment/config.ts";

/** What is not set up, the most urgent first, with the command that mends it. */
const COMMANDS = {
  onThisMachine: "npm run setup",
  mailStaysHere: "npx wrangler secret put RESEND_API_KEY",
  sampleSender: "npm run setup",
  noWebhook: "npx wrangler secret put RESEND_WEBHOOK_SECRET",
  noCaptcha: "npx wrangler secret put TURNSTILE_SECRET_KEY",
  noAdmins: "npm run setup",
  noBucket: "npm run setup -- --bucket",
  noSecurityContact: "npm run deploy",
} as const;

/** Something that works without a setting or a binding, and works better with it. */
export type Gap = { gap: keyof typeof COMMANDS; setting: string; command: string };

/** Domain of the sender in wrangler.toml, which no mail provider accepts. */
const SAMPLE_DOMAIN = "gatehouse.example";

type SetUp = Pick<
  Config,
  "isLoopback" | "isDemo" | "mail" | "turnstile" | "adminEmails" | "securityContact"
>;

/** Returns what an operator should set up. A demonstration sends no mail and needs nothing for it. */
export function listGaps(config: SetUp, hasBucket: boolean): Gap[] {
  const { mail, isDemo } = config;
  const settings: [isMissing: boolean, gap: Gap["gap"], setting: string][] = [
    [config.isLoopback, "onThisMachine", "BASE_URL"],
    [!isDemo && !mail.resendApiKey, "mailStaysHere", "RESEND_API_KEY"],
    [!isDemo && mail.from.includes(`@${SAMPLE_DOMAIN}`), "sampleSender", "MAIL_FROM"],
    [!isDemo && !mail.webhookSecret, "noWebhook", "RESEND_WEBHOOK_SECRET"],
    [!isDemo && !config.turnstile, "noCaptcha", "TURNSTILE_SITE_KEY"],
    [config.adminEmails.length === 0, "noAdmins", "ADMIN_EMAILS"],
    [!hasBucket, "noBucket", "AVATARS"],
    [!config.securityContact, "noSecurityContact", "SECURITY_CONTACT"],
  ];
  return settings.flatMap(([isMissing, gap, setting]) =>
    isMissing ? { gap, setting, command: COMMANDS[gap] } : [],
  );
}
