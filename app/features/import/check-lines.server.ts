import { sql } from "drizzle-orm";
import type { z } from "zod";
import { isBannedAt } from "../../db/ban.ts";
import type { Db } from "../../db/db.server.ts";
import { idsIn } from "../../db/ids-in.ts";
import { user } from "../../db/schema/schema.ts";
import type { Language } from "../../i18n/languages.ts";
import { describeIssue } from "../../i18n/zod-messages.ts";
import type { Keys } from "../../runtime/keys.server.ts";
import type { CheckedMessage, MessageReference } from "../../ui/text/message.tsx";
import { Email } from "../../values/email.ts";
import { PersonName } from "../../values/person-name.ts";
import { DEFAULT_ROLE, mayGive, type RoleHolder } from "../access/permissions.ts";
import { findBannedEmails } from "../auth/sign-in/banned-mailbox.server.ts";
import { findRefusedEmails } from "../site-settings/admission-rules.server.ts";
import { type Columns, readLanguage, readRoles } from "./columns.server.ts";
import type { ImportField } from "./limits.ts";
import type { Line } from "./read-lines.server.ts";

/** A person that a line describes. */
export type Person = {
  line: number;
  email: string;
  /** "" where the line has none: the person gives it at the first sign-in. */
  name: string;
  role: string;
  language: Language | null;
};

/** A line that makes no user, and why. */
export type Wrong = { line: number; field: ImportField; reason: MessageReference };

export type CheckRules = {
  db: Db;
  keys: Keys;
  adminEmails: readonly string[];
};

type Asked = { manager: RoleHolder; columns: Columns; lines: readonly Line[]; now: Date };

/** What became of a line: a person who is new, one who has an account, or neither. */
export type Checked =
  | (Person & { state: "new" })
  | (Person & { state: "known" })
  | (Wrong & { state: "wrong" });

/** Lines whose e-mails are looked up at once: one bound value of D1 holds them. */
const LOOKED_UP_AT_ONCE = 1_000;

/**
 * Finds the lines that can make users, in four statements for each thousand. Who has an account is
 * known; all other lines are wrong, each with its first reason.
 */
export async function checkLines(rules: CheckRules, asked: Asked): Promise<Checked[]> {
  const { manager, columns, lines, now } = asked;
  const seen = new Set<string>();
  const checked: Checked[] = [];

  function refusalOf({ email, role }: Person, found: Found) {
    if (!mayGive(manager, { role })) return refusal("role", "import:reason.roleAbove");
    if (seen.has(email)) return refusal("email", "import:reason.repeated");
    seen.add(email);
    if (found.banned.has(email)) return refusal("email", "import:reason.banned");
    if (found.known.has(email)) return undefined;
    if (rules.adminEmails.includes(email))
      return refusal("email", "users:refusal.listed_new_email");
    if (found.refused.has(email)) return refusal("email", "import:reason.domain");
    return undefined;
  }

  for (let from = 0; from < lines.length; from += LOOKED_UP_AT_ONCE) {
    const some = lines.slice(from, from + LOOKED_UP_AT_ONCE);
    const read = some.map((line) => readPerson(columns, line));
    const emails = read.flatMap((one) => ("reason" in one ? [] : [one.email]));
    const found = await lookUp(rules, emails, now);
    for (const one of read) {
      const against = "reason" in one ? one : refusalOf(one, found);
      if (against) checked.push({ ...against, line: one.line, state: "wrong" });
      else if (!("reason" in one))
        checked.push({ ...one, state: found.known.has(one.email) ? "known" : "new" });
    }
  }
  return checked;
}

type Found = Awaited<ReturnType<typeof lookUp>>;

function refusal(field: ImportField, reason: CheckedMessage) {
  return { field, reason };
}

/** Returns what the database knows of some e-mails. */
async function lookUp({ db, keys }: CheckRules, emails: string[], now: Date) {
  const [accounts, refused, bannedMailboxes] = await Promise.all([
    db
      .select({ email: user.email, isBanned: sql<number>`${isBannedAt(now)}` })
      .from(user)
      .where(idsIn(user.email, emails)),
    findRefusedEmails(db, emails),
    findBannedEmails({ db, keys }, emails, now),
  ]);
  const banned = accounts.filter(({ isBanned }) => isBanned === 1).map(({ email }) => email);
  const known = new Set(accounts.map(({ email }) => email));
  return {
    known,
    refused,
    // A manager who made an account for a banned mailbox has let it in.
    banned: new Set([...banned, ...[...bannedMailboxes].filter((email) => !known.has(email))]),
  };
}

/** Reads a line's cells. The first field that cannot be read makes the line wrong. */
export function readPerson(columns: Columns, { line, cells }: Line): Person | Wrong {
  const cellOf = (field: ImportField) => cellIn(columns, cells, field);
  const wrong = (field: ImportField, reason: MessageReference) => ({ line, field, reason });
  const email = parse(Email, cellOf("email"));
  if ("reason" in email) return wrong("email", email.reason);
  const name = cellOf("name") === "" ? { value: "" } : parse(PersonName, cellOf("name"));
  if ("reason" in name) return wrong("name", name.reason);
  const role = readRoles(cellOf("role"));
  if (role === undefined) return wrong("role", "import:reason.role");
  const language = cellOf("language") === "" ? null : readLanguage(cellOf("language"));
  if (language === undefined) return wrong("language", "import:reason.language");
  return { line, email: email.value, name: name.value, role: role || DEFAULT_ROLE, language };
}

/** Returns what a line says of a field. */
export function cellIn(columns: Columns, cells: readonly string[], field: ImportField): string {
  return cells[columns[field] ?? -1]?.trim() ?? "";
}

function parse(
  schema: z.ZodType<string>,
  cell: string,
): { value: string } | { reason: MessageReference } {
  const parsed = schema.safeParse(cell, { error: describeIssue });
  if (parsed.success) return { value: parsed.data };
  return { reason: parsed.error.issues[0]?.message ?? "" };
}
