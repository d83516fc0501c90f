import { StepError } from "./step.ts";

/** The parts of Resend's answers that are read. */
type Answer = { name?: string; message?: string; data?: { name: string; status: string }[] };

const TIMEOUT_MS = 15_000;

/** Takes the domain out of "no-reply@example.com" or "Name <no-reply@example.com>". */
export function domainOf(sender: string): string | undefined {
  return /^(?:[^<>]*<)?[^\s@<>]+@([a-z0-9-]+(?:\.[a-z0-9-]+)+)>?$/i.exec(sender.trim())?.[1];
}

/**
 * Asks Resend whether the sender's domain is verified, and returns the answer in words. A key that may only send cannot
 * ask, so its domain stays unchecked.
 */
export async function checkSender(sender: string, key: string): Promise<string> {
  const base = process.env.RESEND_BASE_URL || "https://api.resend.com";
  const response = await fetch(new URL("/domains", base), {
    headers: { Authorization: `Bearer ${key}`, "User-Agent": "gatehouse-setup" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (answer.name === "restricted_api_key") return "not checked: this key may only send";
  if (!response.ok) {
    throw new StepError(
      `Resend refuses the key: ${answer.message ?? response.status}`,
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
