import { StepError } from "./step.ts";

/** The parts of Resend's answers that are read. */
type Answer = { name?: string; message?: string; data?: { name: string; status: string }[] };

type Mail = { from: string; to: string[]; subject: string; text: string };

const TIMEOUT_MS = 15_000;

/** Takes the domain out of "no-reply@example.com" or "Name <no-reply@example.com>". */
export function domainOf(sender: string): string | undefined {
  return /^(?:[^<>]*<)?[^\s@<>]+@([a-z0-9-]+(?:\.[a-z0-9-]+)+)>?$/i.exec(sender.trim())?.[1];
}

/** Calls Resend with a mail to send, or with a question. */
async function askResend(path: string, key: string, mail?: Mail) {
  const base = process.env.RESEND_BASE_URL || "https://api.resend.com";
  const response = await fetch(new URL(path, base), {
    method: mail ? "POST" : "GET",
    headers: {
      Authorization: `Bearer ${key}`,
      "User-Agent": "gatehouse-setup",
      "Content-Type": "application/json",
      // Within a day Resend sends the same mail only once.
      ...(mail && { "Idempotency-Key": `gatehouse-setup/${mail.to}` }),
    },
    body: mail && JSON.stringify(mail),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = (await response.json().catch(() => ({}))) as Answer;
  return { isOk: response.ok, status: response.status, answer };
}

/** Sends a mail to the admin of a trial, because Resend's test sender reaches one mailbox only. */
export async function sendTestMail(sender: string, admin: string, key: string): Promise<string> {
  const { isOk, status, answer } = await askResend("/emails", key, {
    from: sender,
    to: [admin],
    subject: "Gatehouse is being set up",
    text: "Your codes for the sign-in will come to this mailbox.",
  });
  if (isOk) return "sent";
  throw new StepError(
    `Resend sends nothing to ${admin}: ${answer.message ?? status}`,
    "Its test sender reaches only the mailbox of the Resend account: give that e-mail as --admin. Or check the key: --resend-key",
  );
}

/**
 * Asks Resend whether the sender's domain is verified, and returns the answer in words. A key that may only send cannot
 * ask, so its domain stays unchecked.
 */
export async function checkSender(sender: string, key: string): Promise<string> {
  const { isOk, status, answer } = await askResend("/domains", key);
  if (answer.name === "restricted_api_key") return "not checked: this key may only send";
  if (!isOk) {
    throw new StepError(
      `Resend refuses the key: ${answer.message ?? status}`,
      "Make a key at https://resend.com/api-keys and give it as RESEND_API_KEY or --resend-key.",
    );
  }
  const domain = domainOf(sender)?.toLowerCase();
  const found = answer.data?.find((each) => each.name.toLowerCase() === domain);
  if (found?.status === "verified") return `${domain} is verified`;
  throw new StepError(
    found
      ? `Resend has not verified ${domain} yet (${found.status}).`
      : `Resend does not know ${domain}.`,
    `Add ${domain} at https://resend.com/domains with the DNS records that Resend names, or choose another sender: --sender.`,
  );
}
