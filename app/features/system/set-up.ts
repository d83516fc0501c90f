import type { Config } from "../environment/config.ts";

/** The command that mends each step, the most urgent first. `npm run setup` asks for all that it lacks. */
const COMMANDS = {
  onThisMachine: "npm run setup",
  mailStaysHere: "npm run setup",
  sampleSender: "npm run setup",
  noAdmins: "npm run setup",
  noCaptcha: "npx wrangler secret put TURNSTILE_SECRET_KEY",
  noWebhook: "npx wrangler secret put RESEND_WEBHOOK_SECRET",
  noBucket: "npm run setup -- --bucket",
  noSecurityContact: "npm run deploy",
} as const;

/** Something that works without a setting or a binding, and works better with it. */
export type Gap = { gap: keyof typeof COMMANDS; setting: string };

/** Domain of the sender in wrangler.toml, which no mail provider accepts. */
const SAMPLE_DOMAIN = "gatehouse.example";

type SetUp = Pick<
  Config,
  "isLoopback" | "isDemo" | "mail" | "turnstile" | "adminEmails" | "securityContact"
>;

/**
 * Returns what an operator should set up, the most urgent first. A demonstration sends no mail and
 * needs nothing for it.
 */
export function listGaps(config: SetUp, hasBucket: boolean): Gap[] {
  const { mail, isDemo } = config;
  const settings: [isMissing: boolean, gap: Gap["gap"], setting: string][] = [
    [config.isLoopback, "onThisMachine", "BASE_URL"],
    [!isDemo && !mail.resendApiKey, "mailStaysHere", "RESEND_API_KEY"],
    [!isDemo && mail.from.includes(`@${SAMPLE_DOMAIN}`), "sampleSender", "MAIL_FROM"],
    [config.adminEmails.length === 0, "noAdmins", "ADMIN_EMAILS"],
    [!isDemo && !config.turnstile, "noCaptcha", "TURNSTILE_SITE_KEY"],
    [!isDemo && !mail.webhookSecret, "noWebhook", "RESEND_WEBHOOK_SECRET"],
    [!hasBucket, "noBucket", "AVATARS"],
    [!config.securityContact, "noSecurityContact", "SECURITY_CONTACT"],
  ];
  return settings.flatMap(([isMissing, gap, setting]) => (isMissing ? { gap, setting } : []));
}

/** Returns the steps by the command that does them, so that each command is said once. */
export function byCommand(gaps: Gap[]): { command: string; steps: Gap[] }[] {
  return [...new Set(gaps.map(({ gap }) => COMMANDS[gap]))].map((command) => ({
    command,
    steps: gaps.filter(({ gap }) => COMMANDS[gap] === command),
  }));
}
