import { and, eq, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import { isBannedAt } from "../../db/ban.ts";
import type { Db } from "../../db/db.server.ts";
import { idsIn } from "../../db/ids-in.ts";
import { user } from "../../db/schema/schema.ts";
import type { Language } from "../../i18n/languages.ts";
import { describeIssue } from "../../i18n/zod-messages.ts";
import type { CheckedMessage, MessageReference } from "../../ui/text/message.tsx";
import { Email } from "../../values/email.ts";
import { PersonName } from "../../values/person-name.ts";
import { DEFAULT_ROLE, mayGive, type RoleHolder } from "../access/permissions.ts";
import { type Columns, readLanguage, readRoles } from "./columns.server.ts";
import type { ImportField } from "./limits.ts";
import type { Line } from "./read-rows.ts";
import { userImportPiece } from "./tables.server.ts";

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
export type Wrong = { line: number; field: ImportField; value: string; reason: MessageReference };

export type CheckRules = {
  db: Db;
  adminEmails: readonly string[];
  findRefusedEmails: (emails: readonly string[]) => Promise<ReadonlySet<string>>;
  findBannedEmails: (emails: readonly string[], now: Date) => Promise<ReadonlySet<string>>;
};

/** What the check is about: whose lines they are, and where they stand in the file. */
type Asked = {
  manager: RoleHolder;
  importId: string;
  position: number;
  columns: Columns;
  lines: readonly Line[];
  now: Date;
};

export type Checked = { people: Person[]; known: Person[]; wrong: Wrong[] };

/**
 * Finds the lines that can make users, in five statements for any number of lines. Who has an account is known;
 * all other lines are wrong, each with its first reason.
 */
export async function checkLines(rules: CheckRules, asked: Asked): Promise<Checked> {
  const { manager, columns } = asked;
  const read = asked.lines.map((line) => readPerson(columns, line));
  const emails = [...new Set(read.flatMap((one) => ("reason" in one ? [] : [one.email])))];
  const found = await findAll(rules, { ...asked, emails });
  const seen = new Set(found.earlier);

  function reasonAgainst({ email, role }: Person): Pick<Wrong, "field" | "reason"> | undefined {
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

  const checked: Checked = { people: [], known: [], wrong: [] };
  for (const one of read) {
    if ("reason" in one) checked.wrong.push(one);
    else {
      const against = reasonAgainst(one);
      if (against)
        checked.wrong.push({ line: one.line, ...against, value: one[against.field] ?? "" });
      else (found.known.has(one.email) ? checked.known : checked.people).push(one);
    }
  }
  return checked;
}

function refusal(field: ImportField, reason: CheckedMessage) {
  return { field, reason };
}

/** Returns what the database knows of some e-mails. */
async function findAll(
  { db, findRefusedEmails, findBannedEmails }: CheckRules,
  { importId, position, emails, now }: Asked & { emails: string[] },
) {
  const earlierEmail = sql<string>`earlier.value`;
  const [[accounts, earlier], refused, bannedMailboxes] = await Promise.all([
    db.batch([
      db
        .select({ email: user.email, isBanned: sql<number>`${isBannedAt(now)}` })
        .from(user)
        .where(idsIn(user.email, emails)),
      db
        .selectDistinct({ email: earlierEmail })
        .from(sql`${userImportPiece}, json_each(${userImportPiece.emails}) AS earlier`)
        .where(
          and(
            eq(userImportPiece.importId, importId),
            lt(userImportPiece.position, position),
            idsIn(earlierEmail, emails),
          ),
        ),
    ]),
    findRefusedEmails(emails),
    findBannedEmails(emails, now),
  ]);
  const banned = accounts.filter(({ isBanned }) => isBanned === 1).map(({ email }) => email);
  const known = new Set(accounts.map(({ email }) => email));
  return {
    known,
    earlier: earlier.map(({ email }) => email),
    refused,
    // A manager who made an account for a banned mailbox has let it in.
    banned: new Set([...banned, ...[...bannedMailboxes].filter((email) => !known.has(email))]),
  };
}

/** Reads a line's cells. The first field that cannot be read makes the line wrong. */
export function readPerson(columns: Columns, [line, cells]: Line): Person | Wrong {
  const cellOf = (field: ImportField) => cells[columns[field] ?? -1]?.trim() ?? "";
  const wrong = (field: ImportField, reason: MessageReference): Wrong => {
    return { line, field, value: cellOf(field), reason };
  };
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

function parse(
  schema: z.ZodType<string>,
  cell: string,
): { value: string } | { reason: MessageReference } {
  const parsed = schema.safeParse(cell, { error: describeIssue });
  if (parsed.success) return { value: parsed.data };
  return { reason: parsed.error.issues[0]?.message ?? "" };
}
