import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import { OwnName } from "../../values/person-name.ts";
import { ORGANIZATION_ROLES } from "../access/role-names.ts";
import {
  LINK_DAYS,
  MAX_INVITED_AT_ONCE,
  MAX_LINK_USES,
  SLUG_MAX_LENGTH,
  SLUG_MIN_LENGTH,
} from "./organization-limits.ts";
import { RESERVED_SLUGS, SLUG_PATTERN } from "./slug.ts";

/** Part of an organization's URL. The unique index decides whether it is free. */
export const Slug = z
  .string({ error: "validation:slug.required" })
  .trim()
  .toLowerCase()
  .min(1, { error: "validation:slug.required", abort: true })
  .min(SLUG_MIN_LENGTH, { error: `validation:slug.short?min=${SLUG_MIN_LENGTH}`, abort: true })
  .max(SLUG_MAX_LENGTH, { error: `validation:tooLong?maximum=${SLUG_MAX_LENGTH}`, abort: true })
  .regex(SLUG_PATTERN, { error: "validation:slug.invalid", abort: true })
  .refine((slug) => !RESERVED_SLUGS.includes(slug), { error: "validation:slug.reserved" });

export const OrganizationInput = z.object({ name: OwnName, slug: Slug });

export type OrganizationInput = z.infer<typeof OrganizationInput>;

export const Id = hidden(z.string().min(1).max(64));

const Role = z.enum(ORGANIZATION_ROLES, { error: "codes:ROLE_NOT_FOUND" });

/** Form of a new organization. An empty slug is proposed from the name. */
export const NewOrganizationForm = z.object({ name: OwnName, slug: Slug.optional() });

export const SettingsForm = z.discriminatedUnion("intent", [
  OrganizationInput.extend({
    intent: z.literal("save"),
    version: hidden(z.coerce.number().int()),
  }),
  z.object({ intent: z.literal("leave") }),
  z.object({ intent: z.literal("delete"), typedName: z.string().max(200).default("") }),
  z.object({ intent: z.literal("restore") }),
]);

export const MembersForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("set-role"), member: Id, role: Role }),
  z.object({ intent: z.literal("remove"), member: Id }),
  z.object({ intent: z.literal("restore-member"), member: Id }),
  z.object({ intent: z.literal("transfer"), member: Id }),
]);

/**
 * E-mails as people paste them: separated by commas, semicolons, spaces or lines, also as `Name <e-mail>`. Every other
 * word is kept, so that one without "@" is answered as "Email is invalid" and not left out.
 */
const PastedEmails = z
  .string({ error: "validation:email.required" })
  .max(10_000, { error: "validation:tooLong?maximum=10000", abort: true })
  .transform((text) => {
    const words = pastedWords(text).map((word) => withoutMarks(word.toLowerCase()));
    return [...new Set(words)].filter((word) => word !== "");
  })
  .pipe(
    z
      .array(z.string())
      .min(1, { error: "validation:email.required" })
      .max(MAX_INVITED_AT_ONCE, {
        error: `organizations:invite.tooMany?maximum=${MAX_INVITED_AT_ONCE}`,
      }),
  );

/** Returns the words of a pasted text without the names before an e-mail in angle brackets. */
function pastedWords(text: string): string[] {
  const parts = text.split(/[<>]/);
  return parts.flatMap((part, index) => {
    const bracket = index % 2 === 0 ? parts[index + 1] : undefined;
    if (!bracket?.trim()) return wordsOf(part);
    const start = startOfName(part);
    const name = wordsOf(part.slice(start));
    return [...wordsOf(part.slice(0, start)), ...name.filter((word) => word.includes("@"))];
  });
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,;،؛"]+/u);
}

/** Returns where the name at the end of a text begins: at its opening quotation mark, else after the last separator. */
function startOfName(text: string): number {
  const { length } = text.trimEnd();
  if (text[length - 1] === '"') return Math.max(0, text.lastIndexOf('"', length - 2));
  return Math.max(...[",", ";", "،", "؛", "\n", "\r"].map((mark) => text.lastIndexOf(mark))) + 1;
}

/** Returns a word without the marks around it. An apostrophe within an e-mail is a part of it. */
function withoutMarks(word: string): string {
  let [start, end] = [0, word.length];
  while (word[start] === "'") start += 1;
  // A regular expression would begin anew at each of many marks that do not end the word.
  while (end > start && "'.:".includes(word.charAt(end - 1))) end -= 1;
  return word.slice(start, end);
}

/** The page to show afterwards; the invitations by default. */
const Back = hidden(z.enum(["members"]).optional());

const WRONG_USES = `organizations:links.usesWrong?maximum=${MAX_LINK_USES}`;

export const InvitationsForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("invite"),
    emails: PastedEmails,
    role: Role.default("member"),
    team: z.string().max(64).optional(),
  }),
  z.object({ intent: z.literal("resend"), invitation: Id, back: Back }),
  z.object({ intent: z.literal("cancel"), invitation: Id, back: Back }),
  z.object({ intent: z.literal("resend-all") }),
  z.object({
    intent: z.literal("create-link"),
    uses: z.coerce
      .number({ error: WRONG_USES })
      .int({ error: WRONG_USES })
      .min(1, { error: WRONG_USES })
      .max(MAX_LINK_USES, { error: WRONG_USES }),
    days: z.enum(LINK_DAYS).default("7").transform(Number),
  }),
  z.object({ intent: z.literal("revoke-link"), link: Id }),
]);

/** Form of the page that an invitation link opens. */
export const JoinForm = z.object({ intent: z.literal("join") });

/** Form of the page that a mailed invitation opens. */
export const AnswerForm = z.object({ intent: z.enum(["accept", "decline"]) });
