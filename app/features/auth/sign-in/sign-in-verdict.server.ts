import { and, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { isBannedAt } from "../../../db/ban.ts";
import { mailPaused } from "../../../db/mail-pause.ts";
import { readOf } from "../../../db/read.server.ts";
import { bannedMailbox, refusingMailbox, siteSetting, user } from "../../../db/schema/schema.ts";
import type { AdmissionRule, Verdict } from "../codes/sign-in-steps.ts";

/** Reads the facts that decide whether an e-mail gets a code now: its account, and the rules. */
export function signInVerdict(
  email: string,
  { mailboxes, rule, now }: { mailboxes: string[]; rule: SQL<AdmissionRule | null>; now: Date },
) {
  const isTheirs = eq(user.email, email);
  const isBan = or(isNull(bannedMailbox.expiresAt), gt(bannedMailbox.expiresAt, now));
  return readOf(
    (db) =>
      db
        .select({
          userId: sql<string | null>`(SELECT ${user.id} FROM ${user} WHERE ${isTheirs})`.as(
            "known_id",
          ),
          name: sql<string | null>`(SELECT ${user.name} FROM ${user} WHERE ${isTheirs})`.as(
            "known_name",
          ),
          isBanned: sql<
            0 | 1
          >`(EXISTS (SELECT 1 FROM ${user} WHERE ${isTheirs} AND ${isBannedAt(now)})
            OR EXISTS (SELECT 1 FROM ${bannedMailbox} WHERE ${and(inArray(bannedMailbox.mailbox, mailboxes), isBan)}))`.as(
            "known_banned",
          ),
          isReturning: sql<0 | 1>`EXISTS (SELECT 1 FROM ${refusingMailbox} WHERE ${and(
            eq(refusingMailbox.email, email),
            isNull(refusingMailbox.allowedAt),
            sql`${refusingMailbox.reason} <> 'complained'`,
          )})`.as("known_returning"),
          isPaused: sql<0 | 1>`${mailPaused(now)}`.as("mail_paused"),
          rule: rule.as("refusal_rule"),
        })
        .from(siteSetting),
    ([row]) => {
      const { userId = null, name = null, ...rules } = row ?? {};
      return { userId, name, verdict: verdictOf(rules) };
    },
  );
}

function verdictOf(rules: {
  isBanned?: 0 | 1;
  isReturning?: 0 | 1;
  isPaused?: 0 | 1;
  rule?: AdmissionRule | null;
}): Verdict {
  if (rules.rule) return rules.rule;
  if (rules.isBanned) return "banned";
  if (rules.isReturning) return "returned";
  return rules.isPaused ? "quota" : "sent";
}
