import type { Device } from "../../../values/device-icon.ts";
import { MAIL_LIMITS } from "../../../values/rate-limits.ts";
import type { Outcome } from "../codes/sign-in-steps.ts";

/** Where a request came from, as the product stores it. */
type Origin = { ipAddress: string | null; place: string | null; device: Device | undefined };

type MailStep =
  | "waiting"
  | "sent"
  | "local"
  | "expired"
  | "failed"
  | "delivered"
  | "delayed"
  | "returned";

export type StepKind = Outcome | "asked" | `mail.${MailStep}` | `event.${string}`;

/** One line of the timeline. */
export type TimelineStep = {
  kind: StepKind;
  at: Date;
  /** How often, from `firstAt` to `at`. */
  count: number;
  firstAt: Date;
  /** When the limit that decided ends. */
  until: Date | undefined;
  /** The provider's or the mailbox's own words. */
  reason: string | null;
  origin: Origin | undefined;
  requestId: string | null;
};

/** A mail with a code, without its content. */
type CodeMail = {
  createdAt: Date;
  state: "waiting" | "sent" | "expired" | "failed";
  isLocal: boolean;
  sentAt: Date | null;
  lastError: string | null;
  delivery: string | null;
  deliveryAt: Date | null;
  deliveryReason: string | null;
  origin: Origin;
  requestId: string | null;
};

type CountedStep = {
  outcome: Outcome;
  count: number;
  firstAt: Date;
  lastAt: Date;
  origin: Origin;
  requestId: string | null;
};

type SignInEvent = { action: string; createdAt: Date; origin: Origin; requestId: string | null };

type Sources = {
  mails: readonly CodeMail[];
  steps: readonly CountedStep[];
  events: readonly SignInEvent[];
};

/** Joins the mails, events and steps of one e-mail's sign-in to a timeline, the newest first. */
export function timelineOf({ mails, steps, events }: Sources): TimelineStep[] {
  const lines = [
    ...mails.flatMap(linesOfMail),
    ...steps.map((step) => ({
      ...line(step.outcome, step.lastAt, step),
      count: step.count,
      firstAt: step.firstAt,
      until: step.outcome === "limited.mailbox" ? limitEnd(mails, step.lastAt) : undefined,
    })),
    ...events.map((event) => line(`event.${event.action}`, event.createdAt, event)),
  ];
  return lines.toSorted((one, other) => other.at.getTime() - one.at.getTime());
}

/** Lines for deliveries. Any other delivery means that the mail did not arrive. */
const DELIVERED: Partial<Record<string, StepKind>> = {
  delivered: "mail.delivered",
  complained: "mail.delivered",
  delayed: "mail.delayed",
};

function linesOfMail(mail: CodeMail): TimelineStep[] {
  const { state, createdAt, sentAt, delivery, deliveryAt, isLocal } = mail;
  const outcome: TimelineStep[] = [];
  if (delivery && deliveryAt) {
    outcome.push({
      ...line(DELIVERED[delivery] ?? "mail.returned", deliveryAt),
      reason: mail.deliveryReason,
    });
  }
  if (state === "sent")
    outcome.push(line(isLocal ? "mail.local" : "mail.sent", sentAt ?? createdAt));
  else outcome.push({ ...line(`mail.${state}`, createdAt), reason: mail.lastError });
  return [...outcome, line("asked", createdAt, mail)];
}

/** Returns when a refused request could be made again, counted from the newest mail before it. */
function limitEnd(mails: readonly CodeMail[], at: Date): Date | undefined {
  const before = mails
    .map(({ createdAt }) => createdAt.getTime())
    .filter((one) => one <= at.getTime());
  if (before.length === 0) return undefined;
  return new Date(Math.max(...before) + MAIL_LIMITS.codeInterval.windowMs);
}

function line(
  kind: StepKind,
  at: Date,
  from?: { origin: Origin; requestId: string | null },
): TimelineStep {
  return {
    kind,
    at,
    count: 1,
    firstAt: at,
    until: undefined,
    reason: null,
    origin: from?.origin,
    requestId: from?.requestId ?? null,
  };
}
